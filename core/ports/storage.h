// The engine's store, to write to: posts, edges, timelines, counters, the event log.
//
// What is written, and when it may be, the rules say (core/rules); a store runs them in the
// writers' turn and keeps what they put. Every call that changes something is one atomic
// transaction, durable when it returns (kill -9 and loss of power included), with the events it
// appends to the log. All writers of a directory take turns. Safe to call from any thread.
//
// An example, somebody's reading mark:
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

// Returns whether it has changed anything; one that has not has put nothing. It may be run several
// times (a store may find that it lacks rows or room), so it starts afresh each time and tells
// nobody before the transaction is through. What it throws undoes all.
using Decision = std::function<bool(Rows&)>;

// What a turn is taken for; what turns take is measured by it.
enum class Purpose : std::uint8_t {
  kChange,         // somebody's, and settings
  kLoad,           // and what is restored from an export
  kRepair,         //
  kFanOut,         // the consumers of the log
  kCounters,       //
  kNotifications,  //
  kTrends,         //
  kTraces,         // of removed posts and comments
  kRemoval,        // of a user
  kTrim,           // of the log
  kKeys,           // for requests that came twice, whose time is over
  kMarks,          // of which a change of policy has left too many, and those of new tiers
  kRebuild,        // of a timeline, asked for
  kBuild,          // of a timeline, after a read
  kRead,           // that somebody has read today
};
inline constexpr std::size_t kPurposes = static_cast<std::size_t>(Purpose::kRead) + 1;

// Who has not had their turn for limits::kBusyMs gets Error{kUnavailable}. What a read would like
// to keep goes without after limits::kStarveMs, since a turn comes so soon beside any load, if
// nobody stands still.
[[nodiscard]] constexpr bool is_patient(Purpose purpose) {
  return purpose != Purpose::kBuild && purpose != Purpose::kRead;
}

// Whether a write adds to what is stored, or changes and removes what is there, or only checks in
// the writers' turn. While the disk reserve is reached, the first is refused; below a quarter of
// it, the second, too.
enum class SpaceUse : std::uint8_t { kAdds, kKeeps, kNothing };

// What a turn does with space. Storage::write asks for changes that add before it takes a turn, so
// kChange is for the rest.
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

  // Returns why no such write may begin now: an Error{kStorageFull} for which is_reserve_reached()
  // holds. Empty if it may. write() and decide() throw it by themselves. Cheap to call.
  [[nodiscard]] virtual std::optional<Error> refusal(SpaceUse /*use*/) const {
    return std::nullopt;
  }

  // Of a state no older than this call, and no newer than the first answer it gives: a store that
  // is far away asks nobody before it is asked.
  [[nodiscard]] virtual std::unique_ptr<Snapshot> snapshot() const = 0;
  // Moves with every commit of any process. No older than this call, or of a store that is far away
  // than the look of this thread's Glance (glance.h), which this call shares. Throws
  // Error{kUnavailable} where such a store can't be asked.
  [[nodiscard]] virtual std::uint64_t version() const = 0;

  // Applies the changes in order, in one commit. `now` is the wall clock; ids are minted inside the
  // transaction, above the last one whatever the clock does.
  virtual std::vector<Outcome> write(std::span<const Change> changes, Time now) = 0;
  // Runs a rule and commits what it has put. What it said.
  virtual bool decide(Time now, Purpose purpose, const Decision& decision) = 0;

  // What takes a bulk load of edges, or null if this store has none. `options` may bound its
  // memory.
  [[nodiscard]] virtual std::unique_ptr<BulkEdges> bulk_edges(const BulkOptions& /*options*/) {
    return nullptr;
  }
  // Whether that writes less than loads in transactions: of `all` edges, whose order of storing
  // begins with `some`.
  [[nodiscard]] virtual bool bulk_pays(std::span<const LoadedEdge> /*some*/,
                                       std::uint64_t /*all*/) const {
    return false;
  }

  // Finishes what a bulk load has left that was killed, and counts follows once where an older
  // program has written that does not keep their number. Cheap if there is nothing to do.
  virtual void settle() {}

  // Lets a load put early entries (StoreState::early_from) as long as the answer lives; null if
  // this store takes none, or another process puts some now. Takes back what a load has left that
  // died.
  [[nodiscard]] virtual std::shared_ptr<void> early_entries() { return nullptr; }
  // Whether entries lie so far apart that a load writes less if it puts them in the order of
  // authors first.
  [[nodiscard]] virtual bool early_pays() const { return false; }

  // Temporary space in which a load can sort. The first `memory` bytes, about, are kept in memory.
  // Null if this store has no such space. `doing` is the subject of the message for a full disk:
  // "Sorting the posts".
  [[nodiscard]] virtual std::unique_ptr<Scratch> scratch(std::string_view /*doing*/,
                                                         std::size_t /*memory*/) {
    return nullptr;
  }

  // Rebuilds the reverse direction of edges and the indexes from the records, and moves push-from
  // marks that do not go with the policy in force. The number of rows put right.
  virtual std::uint64_t repair_indexes(Time now) = 0;
};

}  // namespace chirp
