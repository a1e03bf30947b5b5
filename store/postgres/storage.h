// The engine's store on PostgreSQL: implements core/ports/storage.h and core/ports/snapshot.h, in
// one database or over several servers.
//
// Each commit has a number, and rows carry the numbers from which (born) and until which (died)
// they are visible. So a snapshot is a number and keeps no transaction open. Rows that no snapshot
// can read are swept later.
//
// A read (snapshot/) is a number and then rows of that number, in one round trip:
//
//   select n, state, … from commits where published order by n desc limit 1;
//   select t.* from posts t where t.id = $2 and t.born <= $1
//     order by t.born desc limit 1;        -- and not (died <= $1)
//
// A write (commit/) takes the writers' turn, fetches the rows that its rules lack (core/far),
// replaces the rows that the rules have put, and stores the new state under the next number:
//
//   begin; select pg_advisory_xact_lock(…); select … from commits …;   -- the turn, and the state
//   select … from posts t where …;                                     -- rows that rules lack
//   update posts t set died = $1 where …; insert into posts (…, born) values (…, $1);
//   insert into commits (n, writer, published, …, state) values ($1, …);
//   commit;
//
// Over several servers (cluster/) the commit is decided at home, then applied at each server, then
// published (commit/turn.h). Folders include only those before them: connection (libpq, sessions,
// errors), rows (tables, SQL, chunks of edges, timelines), cluster (servers, schema, standbys),
// commit and users (the user directory, tokens, uploads), snapshot.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/ports/caller.h"
#include "core/rules/writing.h"
#include "store/data_place.h"
#include "store/directory_status.h"
#include "store/postgres/cluster/connections.h"
#include "store/postgres/cluster/copies.h"
#include "store/postgres/cluster/schema.h"
#include "store/postgres/commit/turn.h"

namespace chirp::postgres {

struct StorageOptions {
  // Replaces the steady clock, in tests.
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
  // Called at each step of a batch.
  AtStep at_step{};
  // A safeguard to leave out, in tests of its effect.
  Safeguard without = Safeguard::kNone;
  // How long a standby may be silent before home is queried.
  std::chrono::milliseconds copy_patience = kCopyPatience;
  // Edges that a load writes in one transaction. More edges rewrite fewer rows but block other
  // writers for longer: in one database they grow up to the maximum while none waits (load_pace.h).
  std::size_t edges_at_once = 4'096;
  std::size_t edges_at_most = 65'536;
  // Replaces the machine's clock, in tests: it must nearly equal the database's.
  std::function<Time()> clock = machine_time;
  store::DatabaseOptions database{};
};

class PostgresStorage : public rules::DecidingStorage {
 public:
  // Deletes the rows that no snapshot can read, and returns their number. The store also does this
  // after a commit, at most once per kSweepAfter.
  virtual std::uint64_t sweep() = 0;
  // Returns the round trips of all connections so far.
  [[nodiscard]] virtual std::uint64_t round_trips() const = 0;
  // Returns the results of queries to each server of the address; empty if it names one server.
  [[nodiscard]] virtual std::vector<CopyUse> copies() const = 0;
  // Creates a restore point with this name on every server, during a turn. Returns the servers.
  virtual std::vector<std::string> mark(const std::string& name) = 0;
  // Returns the status of each server except home; empty in one database.
  [[nodiscard]] virtual std::vector<store::WorkerStatus> workers() const = 0;
  // Returns why a crash of a server may lose acknowledged changes, one sentence per reason.
  [[nodiscard]] virtual std::vector<std::string> losses() const = 0;
  // version(), and the version of the users in the same database.
  [[nodiscard]] virtual Versions newest() const = 0;
};

// Returns how long a process waits for a database; null: without limit.
[[nodiscard]] std::shared_ptr<Patience> waits_of(const store::DatabaseOptions& options);
// The address with the settings of the store's connections.
[[nodiscard]] Address storage_address(std::string url, const store::DatabaseOptions& options = {});

// Throws Error{kIo} for a database that was not set up (see init()).
[[nodiscard]] std::unique_ptr<PostgresStorage> open_storage(const std::string& url,
                                                            StorageOptions options = {});
// The same for a caller that already has connections, to storage_address(), and knows the identity.
[[nodiscard]] std::unique_ptr<PostgresStorage> open_storage(
    std::shared_ptr<Connections> connections, const Identity& identity,
    StorageOptions options = {});

}  // namespace chirp::postgres
