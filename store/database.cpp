#include "store/database.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "store/deadline.h"
#include "store/parts.h"
#include "store/postgres/cluster/citus_versions.h"
#include "store/postgres/cluster/connections.h"
#include "store/postgres/cluster/home.h"
#include "store/postgres/cluster/places.h"
#include "store/postgres/cluster/schema.h"
#include "store/postgres/cluster/servers.h"
#include "store/postgres/cluster/status.h"
#include "store/postgres/connection/locks.h"
#include "store/postgres/connection/session_name.h"
#include "store/postgres/storage.h"
#include "store/postgres/users/users.h"

namespace chirp::store {
namespace {

static_assert(kDatabaseFormatVersion == postgres::kFormatVersion);

constexpr std::string_view kTableBytes =
    "select relname::text, pg_total_relation_size(oid) from pg_class"
    " where relkind = 'r' and relnamespace ="
    " (select relnamespace from pg_class where oid = to_regclass('meta')) order by 1";
// For a table distributed by Citus, this asks all workers.
constexpr std::string_view kSpreadTableBytes =
    "select c.relname::text, case when exists (select from pg_dist_partition p"
    " where p.logicalrelid = c.oid) then citus_total_relation_size(c.oid::regclass)"
    " else pg_total_relation_size(c.oid) end from pg_class c where c.relkind = 'r'"
    " and c.relnamespace = (select relnamespace from pg_class where oid = to_regclass('meta'))"
    " order by 1";

constexpr std::array<std::string_view, 7> kOfUsers{
    "users_state", "users", "tokens", "retired_ids", "media", "leaving", "due_cards"};
constexpr std::string_view kMediaBytes = "media_bytes";

// Returns the store of a table.
std::string_view store_of(std::string_view table) {
  if (table == kMediaBytes) return "media";
  const bool is_users = std::ranges::find(kOfUsers, table) != kOfUsers.end();
  return is_users ? "users" : "engine";
}

// Returns the address for creating or finding the tables.
postgres::Address plain_address(const DataPlace& place) {
  return {.url = place.url(),
          .waits = postgres::waits_of(place.options()),
          .may_lose = place.options().may_lose};
}

class DatabaseConsuming final : public DataDirectory::ConsumerRight {
 public:
  // Empty if another process has the right.
  static std::unique_ptr<DatabaseConsuming> try_take(postgres::Connections& connections) {
    std::unique_ptr<DatabaseConsuming> right(new DatabaseConsuming(connections));
    right->has_it_ = right->connection_->run(postgres::kTryConsume).number(0, 0) != 0;
    return right->has_it_ ? std::move(right) : nullptr;
  }
  ~DatabaseConsuming() override {
    if (!has_it_) return;
    try {
      connection_->run(postgres::kStopConsuming);
    } catch (const Error&) {
      // A lost connection holds no lock.
    }
  }
  DatabaseConsuming(const DatabaseConsuming&) = delete;
  DatabaseConsuming& operator=(const DatabaseConsuming&) = delete;

 private:
  explicit DatabaseConsuming(postgres::Connections& connections) : connection_(connections) {}

  postgres::Connections::Loan connection_;
  bool has_it_ = false;
};

// Several processes may serve: each is identified by the name of its sessions.
class DatabaseServing final : public DataDirectory::ServerRight {
 public:
  explicit DatabaseServing(std::shared_ptr<postgres::Connections> connections)
      : connections_(std::move(connections)) {}
  void serves_at(std::string_view address) override {
    connections_->begin_with(
        [name = postgres::name_as_server(address)](auto& connection) { connection.script(name); });
  }

 private:
  std::shared_ptr<postgres::Connections> connections_;
};

class OpenDatabase final : public DataDirectory {
 public:
  explicit OpenDatabase(const DataPlace& place) : OpenDatabase(place, kAnyFormat) {
    postgres::check_format_version(identity_, connections_->lend()->shown());
  }
  // Accepts any format up to the current one.
  struct AnyFormat {};
  static constexpr AnyFormat kAnyFormat{};
  OpenDatabase(const DataPlace& place, AnyFormat /*of*/)
      : place_(place),
        connections_(std::make_shared<postgres::Connections>(
            postgres::storage_address(place.url(), place.options()))),
        identity_(postgres::identity_of(*connections_->lend())),
        storage_(postgres::open_storage(connections_, identity_)),
        users_(*connections_, identity_.machine) {}

  Storage& storage() override { return *storage_; }
  UserDirectory& users() override { return users_; }
  const DataPlace& place() const override { return place_; }
  const std::string& uuid() const override { return identity_.uuid; }
  std::uint32_t machine() const override { return identity_.machine; }

  StoreBytes bytes() const override {
    StoreBytes bytes;
    for (const TableBytes& table : table_bytes()) {
      (table.store == "users"   ? bytes.users
       : table.store == "media" ? bytes.media
                                : bytes.engine) += table.bytes;
    }
    return bytes;
  }

  std::vector<TableBytes> table_bytes() const override {
    const postgres::Result rows = connections_->lend()->run(
        identity_.layout == postgres::kCitus ? kSpreadTableBytes : kTableBytes);
    std::vector<TableBytes> tables;
    for (int row = 0; row < rows.rows(); ++row) {
      std::string table = rows.text(row, 0);
      const std::string_view store = store_of(table);
      tables.push_back(
          {std::string(store), std::move(table), static_cast<std::uint64_t>(rows.number(row, 1))});
    }
    return tables;
  }

  [[nodiscard]] std::uint32_t format_version() const { return identity_.format_version; }
  [[nodiscard]] postgres::Connections::Loan lend() const { return connections_->lend(); }

  void hold_users() override { users_.hold(); }

  std::unique_ptr<ConsumerRight> try_consumer_right() override {
    return DatabaseConsuming::try_take(*connections_);
  }

  bool is_in_the_clear() const override {
    if (!connections_->home().has_copies()) return connections_->lend()->is_in_the_clear();
    const auto servers = postgres::look_at_servers(connections_->address());
    return std::ranges::any_of(servers, [](const postgres::ServerSeen& server) {
      return server.is_reachable() && server.connection->is_in_the_clear();
    });
  }

  void hurry(std::chrono::milliseconds most) override {
    if (const auto& waits = connections_->address().waits) waits->hurry(most);
  }

  DatabaseUse database_use() const override {
    return {connections_->open(), connections_->at_most(), connections_->round_trips()};
  }

  std::unique_ptr<ServerRight> become_server() override {
    if (const auto& waits = connections_->address().waits) waits->bound_changes();
    return std::make_unique<DatabaseServing>(connections_);
  }

  std::vector<std::string> losses() const override {
    if (place_.options().may_lose) return {};
    return storage_->losses();
  }

  std::vector<std::string> remarks() const override {
    if (identity_.layout != postgres::kCitus) return {};
    std::string remark =
        postgres::remark_on_citus(postgres::citus_version_of(*connections_->lend()));
    if (remark.empty()) return {};
    return {std::move(remark)};
  }

  DirectoryStatus status() override {
    DirectoryStatus status = postgres::status_of(*connections_->lend(), identity_);
    if (identity_.layout == postgres::kCitus) {
      status.database->citus = postgres::citus_version_of(*connections_->lend());
    }
    status.workers = storage_->workers();
    return status;
  }

  void tell_user_version() override {
    users_.tell_version([this]() -> std::optional<std::uint64_t> {
      try {
        return storage_->newest().users;
      } catch (const Error&) {
        return std::nullopt;
      }
    });
  }

  Copied backup(const std::filesystem::path& /*destination*/) override {
    throw Error(ErrorCode::kInvalidArgument,
                "A database is backed up by PostgreSQL's own programs: `pg_dump --format=custom "
                "--file=FILE URL`, and `pg_restore --dbname=URL FILE` into an empty one. `chirp "
                "export DIR` writes what is in it as text.",
                "data");
  }

  std::vector<std::string> mark(const std::string& name) override {
    constexpr std::size_t kMost = 63;
    if (name.empty() || name.size() > kMost) {
      throw Error(ErrorCode::kInvalidArgument, "A mark has 1 to 63 bytes.", "mark");
    }
    return storage_->mark(name);
  }

 private:
  DataPlace place_;
  std::shared_ptr<postgres::Connections> connections_;
  postgres::Identity identity_;
  std::unique_ptr<postgres::PostgresStorage> storage_;
  postgres::PostgresUserDirectory users_;
};

// The other chirp processes that use the database now.
constexpr std::string_view kOtherProcesses =
    "select distinct application_name from pg_stat_activity where datname = current_database()"
    " and application_name like 'chirp %'"
    " and application_name <> current_setting('application_name') order by 1";

constexpr std::chrono::milliseconds kAskAgain{20};

// A running program of an older version would write what a migration rebuilds, by its own rules.
void check_alone(postgres::Connection& connection) {
  postgres::Result others = connection.run(kOtherProcesses);
  // The server shows a closed session until its process has ended.
  const Deadline deadline(machine_clock(), std::chrono::milliseconds(limits::kBusyMs));
  while (!others.empty() && !deadline.over()) {
    std::this_thread::sleep_for(kAskAgain);
    others = connection.run(kOtherProcesses);
  }
  if (others.empty()) return;
  throw Error(ErrorCode::kUnavailable,
              fmt::format("Migrating needs the database {} alone, and \"{}\" uses it. Stop that "
                          "process and try again.",
                          connection.shown(), others.text(0, 0)));
}

}  // namespace

std::uint32_t check_migration_of_database(const DataPlace& place) {
  const OpenDatabase database(place, OpenDatabase::kAnyFormat);
  if (database.format_version() != kDatabaseFormatVersion) check_alone(*database.lend());
  return database.format_version();
}

Migrated migrate_database(const DataPlace& place) {
  OpenDatabase database(place, OpenDatabase::kAnyFormat);
  const std::uint32_t from = database.format_version();
  if (from == kDatabaseFormatVersion) return {from, {}};
  check_alone(*database.lend());
  postgres::add_tables(*database.lend());
  database.users().rebuild_indexes();
  derive_anew(database.storage());
  postgres::set_format_version(*database.lend());
  return {from, {"users", "engine", "directory"}};
}

std::unique_ptr<DataDirectory> open_database(const DataPlace& place) {
  return std::make_unique<OpenDatabase>(place);
}

bool is_made_database(const DataPlace& place) {
  const auto connection = postgres::Home(plain_address(place)).connect(nullptr);
  return postgres::find_identity(*connection).has_value();
}

MadeDatabase make_database(const DataPlace& place, std::uint32_t machine, const Spread& spread) {
  const std::uint32_t buckets = spread.buckets.value_or(postgres::kBucketsUsual);
  const bool is_in_bounds = buckets >= postgres::kBucketsLeast && buckets <= postgres::kBucketsMost;
  if (!is_in_bounds || !std::has_single_bit(buckets)) {
    throw Error(ErrorCode::kInvalidArgument,
                "The number of buckets is a power of two, from 16 to 1024. It is for good.",
                "buckets");
  }
  postgres::Identity identity;
  identity.uuid = new_identity(machine).uuid;
  identity.machine = machine;
  if (spread.citus) identity.layout = postgres::kCitus;
  const auto make = [&](postgres::Connection& connection) -> MadeDatabase {
    if (spread.citus) {
      (void)postgres::init_citus(connection, identity, buckets);
    } else {
      (void)postgres::init(connection, identity);
    }
    const postgres::Identity made = postgres::identity_of(connection);
    postgres::check_format_version(made, connection.shown());
    return {made.uuid == identity.uuid ? Created::kNew : Created::kThere, made.machine};
  };
  const auto connection = postgres::Home(plain_address(place)).connect(nullptr);
  try {
    return make(*connection);
  } catch (const postgres::PostgresError&) {
    if (!connection->broken()) throw;
  }
  // If the connection was lost, making the tables again shows whether they were made before.
  return make(*postgres::Home(plain_address(place)).connect(nullptr));
}

}  // namespace chirp::store
