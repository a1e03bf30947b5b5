// Places of loaded posts among others of the same millisecond, in the order of arrival.
//
// Posts that name others are stored after those, some much later: so that they still stand where
// the input has them, they, and whoever shares a millisecond with them, get their ids here before
// anything of the batch is stored. Whoever is alone among plain posts needs none: the store gives
// out the next. To be used from one thread.
//
// If a load is interrupted within a batch, plain posts of it may be stored and the ones that name
// others not. When it is run again, a post that precedes a stored one gets the id that it had
// before the interruption, if that is free: ids of a batch follow each other within a millisecond.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/load/waiting_posts.h"
#include "core/ports/storage.h"

namespace chirp::load {

// A row that is left out of a batch because it is stored already.
struct StoredRow {
  std::size_t before;  // the number of rows of the batch in front of it
  Time created_at;
  std::uint64_t id;
};

class Places {
 public:
  // The store and what waits must not change while the places are given.
  Places(const Storage& storage, const WaitingPosts& waiting)
      : storage_(storage), waiting_(waiting) {}

  // Gives ids to those who need them. `rows` and `stored` are in the order of arrival.
  void give(std::span<PostRow> rows, std::span<const StoredRow> stored);

 private:
  [[nodiscard]] std::vector<std::uint64_t> ids_before(std::span<const PostRow> rows,
                                                      std::span<const std::size_t> needing,
                                                      std::span<const StoredRow> stored) const;
  [[nodiscard]] bool is_free(const RowReader& snapshot, std::uint64_t id) const;
  [[nodiscard]] std::uint64_t next(const RowReader& snapshot, std::uint64_t written);
  [[nodiscard]] std::uint64_t highest_in(const RowReader& snapshot, std::uint64_t ticks) const;

  const Storage& storage_;
  const WaitingPosts& waiting_;
  // By millisecond: the highest id taken, and the first millisecond from there on that is not full.
  std::unordered_map<std::uint64_t, std::uint64_t> last_;
  std::unordered_map<std::uint64_t, std::uint64_t> free_;
  std::unordered_set<std::uint64_t> given_before_;  // ids in front of stored rows
};

}  // namespace chirp::load
