// Finds the i-th oldest post of an author, for events that do not name one: their own public posts
// and then placeholders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/ports/storage.h"

namespace chirp::load {

class EventTargets {
 public:
  // Remembers about `most` posts.
  explicit EventTargets(std::size_t most) : most_(most) {}

  // Forgets everything if it is too large. Call it between batches.
  void make_room();
  // Reads the author's own posts until there are `ordinal` of them, or until the end.
  void learn(const Snapshot& snapshot, UserNumber author, std::uint32_t ordinal);

  // Returns the placeholder (from 1) of the author's post with this ordinal; 0 if it is a real
  // post.
  [[nodiscard]] std::uint32_t placeholder(UserNumber author, std::uint32_t ordinal) const;
  // The post; empty if it is an unknown placeholder.
  [[nodiscard]] std::optional<PostId> find(UserNumber author, std::uint32_t ordinal) const;
  void put_placeholder(UserNumber author, std::uint32_t placeholder, PostId post);

 private:
  struct List {
    std::vector<PostId> own;   // oldest first
    std::vector<PostId> made;  // 0: unknown
    PostId read_to = kBelowAllPosts;
    bool complete = false;
  };

  std::size_t most_;
  std::size_t posts_ = 0;
  std::unordered_map<UserNumber, List> lists_;
};

}  // namespace chirp::load
