// Random changes of all kinds, in a world of a few dozen users.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "core/ports/changes.h"

namespace chirp::test {

// Learns ids from the outcomes passed to it, so that later changes refer to them.
class MixedChanges {
 public:
  explicit MixedChanges(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] Change next();
  // Records the outcome of a change.
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
  std::vector<PostId> posts_;  // including reposts; some may be gone
  std::vector<Said> comments_;
};

}  // namespace chirp::test
