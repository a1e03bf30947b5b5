// Places of loaded posts among others of the same millisecond, in the order of arrival.
//
// Posts that name others are stored after those, some much later: so that they still stand where
// the input has them, they, and whoever shares a millisecond with them, get their ids here before
// anything of the batch is stored. Whoever is alone among plain posts needs none: the store gives
// out the next. To be used from one thread.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "core/load/waiting_posts.h"
#include "core/ports/storage.h"

namespace chirp::load {

class Places {
 public:
  // The store and what waits must not change while the places are given.
  Places(const Storage& storage, const WaitingPosts& waiting)
      : storage_(storage), waiting_(waiting) {}

  // Gives ids to those who need them; `rows` are in the order of arrival.
  void give(std::span<PostRow> rows);

 private:
  [[nodiscard]] std::uint64_t next(const RowReader& snapshot, std::uint64_t written);
  [[nodiscard]] std::uint64_t highest_in(const RowReader& snapshot, std::uint64_t ticks) const;

  const Storage& storage_;
  const WaitingPosts& waiting_;
  // By millisecond: the highest id taken, and the first millisecond from there on that is not full.
  std::unordered_map<std::uint64_t, std::uint64_t> last_;
  std::unordered_map<std::uint64_t, std::uint64_t> free_;
};

}  // namespace chirp::load
