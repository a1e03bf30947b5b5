// The engine's writable store: posts, edges, timelines, counters, the event log.
//
// The rules (core/rules) decide what is written and when. A store runs them in the writers' turn
// and keeps what they put. Every changing call is one atomic transaction, together with the events
// it appends to the log. It is durable when the call returns, even after kill -9 or loss of power.
// All writers of a directory take turns. Safe to call from any thread.
//
// Example, a user's reading mark:
//
//   storage.decide(now, Purpose::kChange, [&](Rows& rows) {
//     if (!rows.present(user)) return false;
//     rows.put(tables::Readers::Key{user}, reader);
//     return true;
//   });
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/ports/bulk_edges.h"
#include "core/ports/changes.h"
#include "core/ports/loads.h"
#include "core/ports/rows.h"
#include "core/ports/scratch.h"
#include "core/ports/snapshot.h"

namespace chirp {

// Returns whether it has changed anything; if not, it must not have put rows. It may run several
// times (if the store finds that it lacks rows or space), so it starts afresh each time and has no
// side effects outside. An exception rolls back the transaction.
using Decision = std::function<bool(Rows&)>;

// The purpose of a writers' turn; used for measuring how long turns take.
enum class Purpose : std::uint8_t {
  kChange,  // a change by a user, or of settings
  kLoad,    // also restoring an export
  kRepair,
  kFanOut,  // consumers of the log
  kCounters,
  kNotifications,
  kTrends,
  kTraces,   // cleaning up after removed posts and comments
  kRemoval,  // cleaning up after a removed user
  kTrim,     // trimming the log
  kKeys,     // forgetting expired idempotency keys
  kMarks,    // retiring marks after a change of policy, setting marks of new tiers
  kRebuild,  // building a timeline on request
  kBuild,    // building a timeline after a read
  kRead,     // noting that a user has read today
};
inline constexpr std::size_t kPurposes = static_cast<std::size_t>(Purpose::kRead) + 1;

// Whether to wait up to limits::kBusyMs for a turn, then fail with Error{kUnavailable}. Optional
// writes after a read give up after limits::kStarveMs, which is enough beside any running load
// unless a writer is stuck.
[[nodiscard]] constexpr bool is_patient(Purpose purpose) {
  return purpose != Purpose::kBuild && purpose != Purpose::kRead;
}

// Whether a write adds data, changes or removes data, or only checks in the writers' turn. While
// the disk reserve is reached, kAdds is refused; below a quarter of it, kKeeps is refused too.
enum class SpaceUse : std::uint8_t { kAdds, kKeeps, kNothing };

// The use of space of a turn. Storage::write checks changes that add data before its turn, so
// kChange means the rest.
[[nodiscard]] constexpr SpaceUse space_use(Purpose purpose) {
  switch (purpose) {
    case Purpose::kLoad:
    case Purpose::kFanOut:
    case Purpose::kCounters:
    case Purpose::kNotifications:
    case Purpose::kTrends:
    case Purpose::kRebuild:
    case Purpose::kBuild:
    case Purpose::kRead:
      return SpaceUse::kAdds;
    case Purpose::kChange:
    case Purpose::kRepair:
    case Purpose::kTraces:
    case Purpose::kRemoval:
    case Purpose::kTrim:
    case Purpose::kKeys:
    case Purpose::kMarks:
      break;
  }
  return SpaceUse::kKeeps;
}

class Storage {
 public:
  virtual ~Storage() = default;

  // Returns the reason why no such write may begin now: an Error{kStorageFull} for which
  // is_reserve_reached() holds. Empty if it may. write() and decide() throw it themselves. Cheap to
  // call.
  [[nodiscard]] virtual std::optional<Error> refusal(SpaceUse /*use*/) const {
    return std::nullopt;
  }

  // Returns a state no older than this call and no newer than the first read from it: a remote
  // store sends no query before that.
  [[nodiscard]] virtual std::unique_ptr<Snapshot> snapshot() const = 0;
  // Changes with every commit of any process. No older than this call, or in a remote store than
  // the read of this thread's RequestVersions (caller.h), which this call shares. Throws
  // Error{kUnavailable} if a remote store can't be reached.
  [[nodiscard]] virtual std::uint64_t version() const = 0;

  // Applies the changes in order, in one commit. `now` is the wall clock. Ids are minted in the
  // transaction, above the last one even if the clock steps back.
  virtual std::vector<Outcome> write(std::span<const Change> changes, Time now) = 0;
  // The same for one change.
  Outcome write_one(const Change& change, Time now) { return write({&change, 1}, now).front(); }
  // Runs a rule, commits what it has put, and returns its result.
  virtual bool decide(Time now, Purpose purpose, const Decision& decision) = 0;

  // Returns the bulk loader of edges, or null if this store has none. `options` may bound its
  // memory.
  [[nodiscard]] virtual std::unique_ptr<BulkEdges> bulk_edges(const BulkOptions& /*options*/) {
    return nullptr;
  }
  // Whether a bulk load writes less than loads in transactions. There are `all` edges; `some` are
  // the first in the order of storing.
  [[nodiscard]] virtual bool bulk_pays(std::span<const LoadedEdge> /*some*/,
                                       std::uint64_t /*all*/) const {
    return false;
  }

  // Finishes a bulk load that was killed. Counts follows once if an older program, which does not
  // keep their number, has written. Cheap if there is nothing to do.
  virtual void settle() {}

  // Allows a load to put early entries (StoreState::early_from) while the returned handle lives.
  // Null if this store does not support them, or another process is putting some. Removes those
  // that a crashed load has left.
  [[nodiscard]] virtual std::shared_ptr<void> early_entries() { return nullptr; }
  // Whether entries are so scattered that a load writes less if it first puts them by author.
  [[nodiscard]] virtual bool early_pays() const { return false; }

  // Temporary space for a load to sort in. About the first `memory` bytes are kept in memory. Null
  // if this store has no such space. `doing` is the subject of the message for a full disk:
  // "Sorting the posts".
  [[nodiscard]] virtual std::unique_ptr<Scratch> scratch(std::string_view /*doing*/,
                                                         std::size_t /*memory*/) {
    return nullptr;
  }

  // Rebuilds the reverse edges and the indexes from the records, and moves push-from marks that do
  // not match the policy. Returns the number of rows repaired.
  virtual std::uint64_t repair_indexes(Time now) = 0;
};

}  // namespace chirp
