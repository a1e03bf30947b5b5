// Background work on a separate thread: the consumers of the event log, while this process has the
// right to run them; unfinished removals; unreferenced uploads; timelines for readers without one;
// counts for the metrics.
//
// Every step is a complete transaction, so the work may end between any two. Writers and the steps
// take turns: each waits for at most one of the other's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "core/engine.h"
#include "server/engine/old_readers.h"
#include "server/log.h"
#include "server/metrics.h"

namespace chirp {

struct UpkeepParts {  // all must outlive the Upkeep
  Storage& storage;
  UserDirectory& directory;
  const PasswordHasher& hasher;
  const Clock& clock;
  Log& log;
  Metrics& metrics;
  // The right to run the consumers while the handle lives; null if another process has it.
  std::function<std::shared_ptr<void>()> try_consumer_right;
  // The share of recent pages that were read from the store; 1 without a hot set.
  std::function<double()> reading_share;
  // Called after each turn of fan-out, on the Upkeep's thread. May be empty.
  events::DeliveryObserver delivered = {};
  // Returns the oldest reader of the engine's store in a folder. May be empty.
  std::function<std::optional<OldReader>()> oldest_reader = {};
};

class UpkeepThread {
 public:
  explicit UpkeepThread(UpkeepParts parts);
  // Stops the thread after its current step.
  ~UpkeepThread();
  UpkeepThread(const UpkeepThread&) = delete;
  UpkeepThread& operator=(const UpkeepThread&) = delete;

  // Starts the thread. Call it once.
  void start();
  // Creates the thread, which is idle until start(). Throws std::system_error.
  void prepare();
  // Call when the store has changed. From any thread; does not wait.
  void wake() noexcept;
  // Call after a feed was read from the store: soon does the work of Feeds::after_read, or nothing
  // if limits::kAfterReadsMax viewers are queued. From any thread; does not wait.
  void after_read(UserNumber viewer, feed::Upkeep what);

 private:
  class Thread;
  std::unique_ptr<Thread> thread_;
};

}  // namespace chirp
