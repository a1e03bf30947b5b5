// Group commit: a Storage through which many threads write in common transactions.
//
// Callers of write() hand their changes to one writer thread and wait. When the writer gets its
// turn, it takes all waiting changes into one transaction with one sync, up to
// limits::kBatchChangesMax or one caller's. Changes run in order of arrival. The transaction's time
// is the latest that a caller gave before the writer asked for its turn. Afterwards the callers
// wake one after the other. All other calls go straight through. Safe to call from any thread.
//
// Below the disk reserve, callers that add data are refused before they wait.
//
// If the storage is full, busy, read-only or broken, every caller in the transaction gets that
// error. After any other error the transaction is undone and each caller's changes are tried alone.
#pragma once

#include <functional>
#include <memory>

#include "core/ports/clock.h"
#include "core/ports/forwarding_storage.h"
#include "core/ports/storage.h"
#include "server/metrics.h"

namespace chirp {

class GroupedStorage : public ForwardingStorage {
 public:
  using ForwardingStorage::ForwardingStorage;
  // False for a while after a write failed because storage was full or unwritable, until one
  // succeeds.
  [[nodiscard]] virtual bool can_write() const = 0;
  // Number of callers whose changes are in no transaction yet.
  [[nodiscard]] virtual std::size_t waiting() const = 0;
};

// `inner`, `clock`, `metrics` must outlive it. The writer thread calls `committed` after each
// commit; it must not throw. The destructor first finishes waiting changes.
[[nodiscard]] std::unique_ptr<GroupedStorage> group_writes(Storage& inner, const Clock& clock,
                                                           Metrics& metrics,
                                                           std::function<void()> committed);

}  // namespace chirp
