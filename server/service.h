// The server: the engine made safe for many threads, the API, the streams and the sockets.
//
// All writes go through one writer thread. It commits the waiting ones with one transaction and one
// sync, and answers them afterwards. Each thread that reads users has its own connection. Another
// thread runs the consumers while this process has the right to.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/hot/hot_set.h"
#include "core/ports/clock.h"
#include "core/ports/password_hasher.h"
#include "core/ports/storage.h"
#include "core/ports/user_directory.h"
#include "server/engine/old_readers.h"
#include "server/log.h"

namespace chirp {

// The use of the engine's store in a folder, for the metrics.
struct StoreUse {
  double map_bytes_used = 0;
  double map_bytes = 0;
  double readers_used = 0;
  double readers = 0;
  std::optional<OldReader> oldest{};  // empty if no reader holds an older state than the newest
};

// The use of a database by this process, for the metrics.
struct DatabaseLoad {
  double connections_used = 0;  // open now
  double connections = 0;       // the limit
  double round_trips = 0;       // so far
};

// The parts that the server gets from its starter. All must outlive it.
struct ServicePorts {
  Storage& storage;
  UserDirectory& users;
  const PasswordHasher& hasher;  // safe to use from any thread, like the two before
  const Clock& clock;
  // Returns the right to run the consumers, held while the handle lives; null if another process
  // has it.
  std::function<std::shared_ptr<void>()> try_consumer_right;
  // Empty if there is no such store. Both are cheap.
  std::function<StoreUse()> store_use;
  std::function<DatabaseLoad()> database_use{};
  // Throws an Error that says what happened to the served data if they are no longer in their
  // place.
  std::function<void()> check_place{};
  std::string uuid{};  // the data directory's; the same in all processes, and secret
  // Limits every later wait for a database to this time. Empty for a folder. Safe to call from the
  // thread that handles signals.
  std::function<void(std::chrono::milliseconds)> hurry{};
  // How long a request may wait for the database; 0: without limit.
  std::chrono::milliseconds database_timeout{0};
};

// Options of chirp serve --demo.
struct DemoOptions {
  std::vector<UserNumber> who;  // may switch the policy; empty: every account
  std::string lab;              // the fields of LabFigures (docs/openapi.yaml), if there are any
};

struct ServiceOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8080;  // 0: any that is free
  unsigned threads = 0;       // for reads; 0: one per processor
  // For the hot set (core/hot/hot_set.h) and cached callers (server/api/callers.h); 0: no cache.
  std::uint64_t cache_bytes = hot::kMbDefault << 20;
  // Checks one of so many pages against its definition (server/engine/page_checks.h); 0: none.
  std::uint64_t check_every = 0;
  std::optional<DemoOptions> demo;  // absent: no demo
  std::string version;              // of the program
  Log::Requests requests = Log::Requests::kLogged;
};

class Service {
 public:
  // Binds and listens. Throws the exceptions of http::Front.
  Service(ServicePorts ports, ServiceOptions options);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  // Starts all threads. Call it once, before run(). Throws std::system_error if a thread can't be
  // created.
  void start();
  // Serves until stop().
  void run();
  // From any thread or signal handler. Finishes accepted requests; a second call stops at once.
  void stop() noexcept;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace chirp
