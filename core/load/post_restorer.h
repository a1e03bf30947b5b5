// Stores the posts of an export. If there are many, their entries go into the logs of authors
// first, in the order of authors, as in a load of posts (core/load/post_loader.h). Use it from one
// thread.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/load/post_loader.h"
#include "core/load/turns.h"
#include "core/model/post.h"
#include "core/pace.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"

namespace chirp::load {

class PostRestorer {
 public:
  // `turns` are those of the whole load. The entries of `early_bytes` of posts are stored at once.
  PostRestorer(Storage& storage, const Clock& clock, Turns& turns, Bulk early,
               std::size_t early_bytes = std::size_t{192} << 20);

  // Whether to gather more posts before these are stored; they take `bytes` of memory.
  [[nodiscard]] bool waits_for_more(std::size_t bytes) const;
  // About how much memory a post takes.
  [[nodiscard]] static std::size_t bytes_of(const Post& post);

  // Stores the entries of posts that store() gets next, all of them, if there are many.
  void put_early(std::span<const Post* const> posts, std::size_t bytes);
  // Throws Error{kAlreadyExists} if one of the posts exists.
  void store(std::span<const Post> posts);
  // Call it after the last posts.
  void finish();

 private:
  Storage& storage_;
  const Clock& clock_;
  Turns& turns_;
  Bulk early_;
  std::size_t early_bytes_;
  std::shared_ptr<void> held_;  // while there are early entries
  Pace pace_{2'048, 2'048, 16'384};
  Pace early_pace_{2'048, 2'048, 262'144};
};

}  // namespace chirp::load
