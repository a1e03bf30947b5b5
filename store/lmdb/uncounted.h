// Pending changes of counters from the log, read once for all callers.
//
// A shown count includes pending events. With a thousand pending, reading them takes a millisecond,
// and all callers read the same. So each process keeps the changes from the events after the
// counters' offset. An event never changes, and neither does its part; a state uses the part
// between its two ends.
#pragma once

#include <deque>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "core/ports/snapshot.h"
#include "store/lmdb/txn.h"

namespace chirp::lmdb {

// The events of one range of the log, as changes of counters: of users (CounterDelta), or of posts
// and comments (ContentDelta).
template <class Delta, class Id, class Counters>
class UncountedEvents {
 public:
  // Whether it can be extended to all that is pending in a state, and is worth keeping for it.
  [[nodiscard]] bool reaches(const StoreState& state) const;
  // Extends it so, and drops the events that the state's counters include.
  void take_in(const Txn& txn, const StoreState& state);
  // Adds what is pending in a state passed to take_in(), one counter for each of `wanted`.
  void add(const StoreState& state, std::span<const Id> wanted,
           std::vector<Counters>& counters) const;

 private:
  void read_on(const Txn& txn);

  Sequence from_;
  Sequence to_;
  std::deque<std::pair<Sequence, Delta>> log_;
};

extern template class UncountedEvents<CounterDelta, UserNumber, UserCounters>;
extern template class UncountedEvents<ContentDelta, ContentId, ContentCounters>;

// Shared by all snapshots of a process. Safe to call from any thread.
class Uncounted {
 public:
  // Adds what is pending in the state of a transaction, one counter for each of `wanted`.
  void add(const Txn& txn, const StoreState& state, std::span<const UserNumber> wanted,
           std::vector<UserCounters>& counters) {
    add_from(users_, txn, state, wanted, counters);
  }
  void add(const Txn& txn, const StoreState& state, std::span<const ContentId> wanted,
           std::vector<ContentCounters>& counters) {
    add_from(contents_, txn, state, wanted, counters);
  }

 private:
  template <class Events, class Id, class Counters>
  void add_from(Events& events, const Txn& txn, const StoreState& state, std::span<const Id> wanted,
                std::vector<Counters>& counters) {
    if (state.counters >= state.log_end) return;
    {
      const std::lock_guard lock(mutex_);
      if (events.reaches(state)) {
        events.take_in(txn, state);
        return events.add(state, wanted, counters);
      }
    }
    Events own;
    own.take_in(txn, state);
    own.add(state, wanted, counters);
  }

  std::mutex mutex_;
  UncountedEvents<CounterDelta, UserNumber, UserCounters> users_;
  UncountedEvents<ContentDelta, ContentId, ContentCounters> contents_;
};

}  // namespace chirp::lmdb
