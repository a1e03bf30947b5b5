// What transactions of loads have in common: ids of the time of writing, and the event at the end.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "core/model/post.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

// Whether a batch makes entries of feeds: then timelines of before are no longer complete.
enum class Entries : std::uint8_t { kNone, kMade };

// The one event of a batch, and the new generation.
void log_load(Batch& batch, std::uint64_t rows, Entries entries = Entries::kMade);

// A post that others may hang on: there, its author too, and no repost.
[[nodiscard]] std::optional<Post> loaded_original(const Txn& txn, PostId id);

// Hands out ids of loaded posts and comments: machine 1, the time of writing, the next free
// sequence. No loaded id stands in a millisecond above the last live one, which goes up if need be.
class LoadedIds {
 public:
  explicit LoadedIds(Batch& batch)
      : batch_(batch), posts_(batch.txn, Table::kPosts), comments_(batch.txn, Table::kComments) {}

  // Times in ascending order. `wished`, unless it is 0 or taken; else the next.
  std::uint64_t next(Time written, std::uint64_t wished = 0);

 private:
  // The highest loaded id of a millisecond that is taken, or 0.
  std::uint64_t taken_in(std::uint64_t ticks);
  [[nodiscard]] std::uint64_t granted_in(std::uint64_t ticks) const;
  [[nodiscard]] bool is_taken(std::uint64_t id);
  void raise_floor(std::uint64_t ticks);

  Batch& batch_;
  Cursor posts_;
  Cursor comments_;
  std::uint64_t last_ = 0;  // the highest of its millisecond
  // Handed out and perhaps not stored yet: to those who wished for them, and to others, ascending.
  std::set<std::uint64_t> granted_;
  std::vector<std::uint64_t> given_;
};

}  // namespace chirp::lmdb
