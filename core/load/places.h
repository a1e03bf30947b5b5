// The order of loaded posts within one millisecond: that of their arrival.
//
// Posts that name others are stored after those, sometimes much later. To keep their place, they
// and the posts of the same millisecond get their ids here before anything of the batch is stored.
// Other plain posts get the store's next id.
//
// If a load is interrupted within a batch, its plain posts may be stored and the ones that name
// others not. In the next run, a post that precedes a stored one gets the id that it had before, if
// that is free: ids of a batch are consecutive within a millisecond. Not thread-safe.
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
  // The store and the waiting posts must not change while the places are given.
  Places(const Storage& storage, const WaitingPosts& waiting)
      : storage_(storage), waiting_(waiting) {}

  // Gives ids to the posts that need them. `rows` and `stored` are in the order of arrival.
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
