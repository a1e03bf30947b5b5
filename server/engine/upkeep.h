// Background work, on a separate thread: the consumers of the event log, while this process has the
// right to run them; unfinished removals; unreferenced uploads; timelines of users who have read
// without one; counts for the metrics.
//
// Every step is a complete transaction, so the work may end between any two. Writers and the steps
// take turns: neither waits for more than one of the other's.
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
  // The right to run the consumers while it lives; null while another process has it.
  std::function<std::shared_ptr<void>()> try_consumer_right;
  // Which share of the pages of late was read from the store; 1 of a server without a hot set.
  std::function<double()> reading_share;
  // Told of each turn of fan-out, on the thread of the Upkeep. May be empty.
  events::DeliveryObserver delivered = {};
  // Returns the oldest reader of the engine's store in a folder. May be empty.
  std::function<std::optional<OldReader>()> oldest_reader = {};
};

class Upkeep {
 public:
  explicit Upkeep(UpkeepParts parts);
  // Ends the thread after the step under way.
  ~Upkeep();
  Upkeep(const Upkeep&) = delete;
  Upkeep& operator=(const Upkeep&) = delete;

  // Starts the thread; called once.
  void start();
  // Starts the thread, which is idle until start() is called. Throws std::system_error.
  void prepare();
  // The store has moved. From any thread; does not wait.
  void wake() noexcept;
  // A feed was read out of the store: does soon what Feeds::after_read does; nothing if
  // limits::kAfterReadsMax viewers wait for it already. From any thread; does not wait.
  void after_read(UserNumber viewer, feed::Upkeep what);

 private:
  class Thread;
  std::unique_ptr<Thread> thread_;
};

}  // namespace chirp
