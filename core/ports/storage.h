// The engine's store, to write to: posts, edges, timelines, counters, the event log.
//
// What is written, and when it may be, the rules say (core/rules); a store runs them in the
// writers' turn and keeps what they put. Every call that changes something is one atomic
// transaction, durable when it returns (kill -9 and loss of power included), with the events it
// appends to the log. All writers of a directory take turns. Safe to call from any thread.
//
// An example, somebody's reading mark:
//
//   storage.decide(now, Patience::kLong, [&](Rows& rows) {
//     if (!rows.present(user)) return false;
//     rows.put(tables::Readers::Key{user}, reader);
//     return true;
//   });
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/ports/changes.h"
#include "core/ports/rows.h"
#include "core/ports/snapshot.h"

namespace chirp {

// Returns whether it has changed anything; one that has not has put nothing. It may be run several
// times (a store may find that it lacks rows or room), so it starts afresh each time and tells
// nobody before the transaction is through. What it throws undoes all.
using Decision = std::function<bool(Rows&)>;

// How long to wait for one's turn before Error{kUnavailable}: limits::kBusyMs, or, for what a read
// would like to keep and goes without rather than wait for long, limits::kStarveMs, since a turn
// comes so soon beside any load, if nobody stands still.
enum class Patience : std::uint8_t { kLong, kShort };

class Storage {
 public:
  virtual ~Storage() = default;

  [[nodiscard]] virtual std::unique_ptr<Snapshot> snapshot() const = 0;
  // Moves with every commit of any process.
  [[nodiscard]] virtual std::uint64_t version() const = 0;

  // Applies the changes in order, in one commit. `now` is the wall clock; ids are minted inside the
  // transaction, above the last one whatever the clock does.
  virtual std::vector<Outcome> write(std::span<const Change> changes, Time now) = 0;
  // Runs a rule and commits what it has put. What it said.
  virtual bool decide(Time now, Patience patience, const Decision& decision) = 0;

  // Rebuilds the reverse direction of edges and the indexes from the records, and moves push-from
  // marks that do not go with the policy in force. The number of rows put right.
  virtual std::uint64_t repair_indexes(Time now) = 0;
};

}  // namespace chirp
