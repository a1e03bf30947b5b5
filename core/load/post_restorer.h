// Stores the posts of an export. Of many posts the entries go into the logs of authors first, in
// the order of authors, as in a load of posts (core/load/post_loader.h). To be used from one
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
  // `turns` are those of the whole load. `early_bytes` of posts have their entries put at once.
  PostRestorer(Storage& storage, const Clock& clock, Turns& turns, Bulk early,
               std::size_t early_bytes = std::size_t{192} << 20);

  // Whether more posts should be gathered before these are stored, which take so much memory.
  [[nodiscard]] bool waits_for_more(std::size_t bytes) const;
  // About how much memory a post takes.
  [[nodiscard]] static std::size_t bytes_of(const Post& post);

  // Puts the entries of posts that store() gets next, all of them, if they are many.
  void put_early(std::span<const Post* const> posts, std::size_t bytes);
  // Throws Error{kAlreadyExists} if one of the posts exists.
  void store(std::span<const Post> posts);
  // After the last posts.
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
