// Group commit: a Storage through which many threads write in common transactions.
//
// Callers of write() hand their changes to one writer thread and wait; the writer takes all that
// wait when the writers' turn has come (limits::kBatchChangesMax changes at most, or one caller's)
// into one transaction with one sync. Afterwards its callers wake one after the other. The order of
// arrival is the order of the changes, and the time of a transaction is the latest that was said by
// those who waited when the turn was asked for. All other calls go straight through. Safe to call
// from any thread.
//
// While the disk reserve is reached, callers that add are refused before they wait.
//
// Full, busy, read-only or broken storage is told to everybody in the transaction. Any other error
// is one caller's own: the transaction is undone and each caller's changes are tried alone.
#pragma once

#include <functional>
#include <memory>

#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "server/engine/forwarding_storage.h"
#include "server/metrics.h"

namespace chirp {

class GroupedStorage : public ForwardingStorage {
 public:
  using ForwardingStorage::ForwardingStorage;
  // False for a while after storage was full or could not be written, until a write succeeds.
  [[nodiscard]] virtual bool can_write() const = 0;
  // Callers whose changes no transaction has taken up yet.
  [[nodiscard]] virtual std::size_t waiting() const = 0;
};

// `inner`, `clock`, `metrics` must outlive it; `committed` is called by the writer thread after
// each commit and does not throw. The destructor finishes what waits.
[[nodiscard]] std::unique_ptr<GroupedStorage> group_writes(Storage& inner, const Clock& clock,
                                                           Metrics& metrics,
                                                           std::function<void()> committed);

}  // namespace chirp
