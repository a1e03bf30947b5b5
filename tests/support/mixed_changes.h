// Changes of every kind, drawn at random over a world of a few dozen people.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "core/ports/changes.h"

namespace chirp::test {

// Knows the ids that a store has made from the outcomes it is told, so that the changes meet.
class MixedChanges {
 public:
  explicit MixedChanges(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] Change next();
  // What came of a change: from then on others are about what it made.
  void made(const Change& change, const Outcome& outcome);

 private:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  UserNumber anybody();
  UserNumber anybody_but(UserNumber user);
  PostId some_post();
  CommentId some_comment();
  Change some_post_change();
  Change some_relation_change();
  Change some_remark();
  AuthorCard some_card();

  struct Said {
    CommentId comment;
    PostId post;
  };
  std::mt19937_64 random_;
  std::vector<PostId> posts_;  // reposts too; some of them gone since
  std::vector<Said> comments_;
};

}  // namespace chirp::test
