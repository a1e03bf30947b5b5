// Materialised timelines: a head with the newest entries and the facts about the whole, and parts
// with older ones.
//
// A delivery rewrites only the head, some hundred bytes. A head that grows too long moves its older
// half to a new part, and a timeline above its cap loses its oldest part.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/model/timeline.h"
#include "core/ports/snapshot.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

// The head without its entries.
struct StoredHead {
  PostId complete_from;
  std::uint64_t generation = 0;
  std::uint32_t last_read_day = 0;  // days since 2000-01-01
  std::uint64_t in_parts = 0;       // entries below the head
};

[[nodiscard]] std::uint32_t day_of(Time time);
[[nodiscard]] Time time_of_day(std::uint32_t day);

[[nodiscard]] std::optional<StoredHead> read_head(const Txn& txn, UserNumber viewer);
[[nodiscard]] std::optional<Timeline> read_timeline(const Txn& txn, UserNumber viewer);
// See Snapshot::timeline_entries.
[[nodiscard]] std::vector<Entry> read_timeline_entries(const Txn& txn, UserNumber viewer,
                                                       IdRange range, Direction direction,
                                                       std::uint32_t limit);

void put_timeline(Batch& batch, UserNumber viewer, const Timeline& timeline);
// Returns true if there was one.
bool erase_timeline(Batch& batch, UserNumber viewer);
void put_last_read(Batch& batch, UserNumber viewer, Time now);

// Merges deliveries into the valid timelines of viewers, in ascending order.
class Deliverer {
 public:
  explicit Deliverer(Batch& batch) : batch_(batch), heads_(batch.txn, Table::kTimelines) {}
  // `entries`: newest first. Does nothing and returns false without a valid timeline.
  bool deliver(UserNumber viewer, std::span<const Entry> entries);

 private:
  void write_grown(UserNumber viewer, StoredHead head, std::vector<Entry> entries);

  Batch& batch_;
  Cursor heads_;
};

}  // namespace chirp::lmdb
