// The engine's store on PostgreSQL, in one database or spread over several servers (places.h):
// implements core/ports/storage.h and core/ports/snapshot.h.
//
// Each commit has a number. Rows are kept with the numbers they are seen from and until, so a
// snapshot is a number and no open transaction; what no snapshot can ask for any more is swept. A
// batch takes the writers' turn (turn.h) and the state, fetches what its rules lack (core/far), and
// commits all that they have put, with the commit's number.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/ports/glance.h"
#include "core/rules/writing.h"
#include "store/data_place.h"
#include "store/directory_status.h"
#include "store/postgres/connections.h"
#include "store/postgres/copies.h"
#include "store/postgres/schema.h"
#include "store/postgres/turn.h"

namespace chirp::postgres {

// A snapshot that nothing has been asked of for so long is refused (kUnavailable): rows that it
// would need may be gone. One that is asked now and then is kept for as long as that goes on.
inline constexpr std::chrono::seconds kSnapshotLives{30};
// Dead rows are swept this long after the commit that removed them was published.
inline constexpr std::chrono::seconds kSweepAfter{120};

struct StorageOptions {
  // Replaces the steady clock, in tests.
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
  // Called at each step of a batch.
  AtStep at_step{};
  // A safeguard to leave out, in tests of its effect.
  Safeguard without = Safeguard::kNone;
  // How long a copy may be silent before home is asked.
  std::chrono::milliseconds copy_patience = kCopyPatience;
  // Edges that a load puts in one transaction. More of them rewrite fewer rows, and keep others
  // waiting for longer: in one database it takes up to so many while nobody waits (load_pace.h).
  std::size_t edges_at_once = 4'096;
  std::size_t edges_at_most = 65'536;
  // Replaces the machine's clock, in tests: it must nearly equal the database's.
  std::function<Time()> clock = machine_time;
  store::DatabaseOptions database{};
};

class PostgresStorage : public rules::DecidingStorage {
 public:
  // Takes away what no snapshot can ask for any more. How many rows that were. The store does it by
  // itself, at most once in kSweepAfter, after a commit.
  virtual std::uint64_t sweep() = 0;
  // Returns the round trips of all connections so far.
  [[nodiscard]] virtual std::uint64_t round_trips() const = 0;
  // Returns the result of asking each server that the address names; empty if it names one.
  [[nodiscard]] virtual std::vector<CopyUse> copies() const = 0;
  // Sets a restore point with this name on every server, while nobody writes. Returns the servers.
  virtual std::vector<std::string> mark(const std::string& name) = 0;
  // Returns the status of each server except home; empty in one database.
  [[nodiscard]] virtual std::vector<store::WorkerStatus> workers() const = 0;
  // Returns why a crash of a server may lose acknowledged changes, one sentence per reason.
  [[nodiscard]] virtual std::vector<std::string> losses() const = 0;
  // version(), and that of the users in the same database.
  [[nodiscard]] virtual Versions newest() const = 0;
};

// Returns how long a process waits for a database; null: without limit.
[[nodiscard]] std::shared_ptr<Patience> waits_of(const store::DatabaseOptions& options);
// The settings that connections of the store begin with.
[[nodiscard]] Address storage_address(std::string url, const store::DatabaseOptions& options = {});

// Throws Error{kIo} for a database in which nothing was made (see init()).
[[nodiscard]] std::unique_ptr<PostgresStorage> open_storage(const std::string& url,
                                                            StorageOptions options = {});
// The same for a caller that already has connections, to storage_address(), and knows the identity.
[[nodiscard]] std::unique_ptr<PostgresStorage> open_storage(
    std::shared_ptr<Connections> connections, const Identity& identity,
    StorageOptions options = {});

}  // namespace chirp::postgres
