#include "store/postgres/cluster/status.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "store/postgres/connection/locks.h"
#include "store/postgres/connection/session_name.h"

namespace chirp::postgres {
namespace {

using store::CopyStatus;
using store::DatabaseStatus;
using store::DirectoryStatus;

constexpr std::string_view kFacts =
    "select current_setting('server_version'), current_user::text, pg_is_in_recovery(),"
    " pg_has_role(current_user, 'pg_read_all_stats', 'usage'),"
    " coalesce((select min(n) from commits), 0)::int8,"
    " (select sum(numbackends) from pg_stat_database)::int8,"
    " current_setting('max_connections')::int8,"
    " coalesce((select max(n) from commits), 0)::int8";

// All sessions of a process share one application_name; this process's are left out.
constexpr std::string_view kSessions =
    "select application_name, count(*), (extract(epoch from min(backend_start)) * 1000)::int8,"
    " case when bool_or(state = 'active') then 0 else"
    " (extract(epoch from clock_timestamp() - max(state_change)) * 1000)::int8 end"
    " from pg_stat_activity where datname = current_database()"
    " and application_name <> current_setting('application_name')"
    " group by 1 order by min(backend_start), 1";

constexpr std::string_view kHolders =
    "select l.objid::int8, l.granted, coalesce(a.application_name, '')"
    " from pg_locks l left join pg_stat_activity a on a.pid = l.pid"
    " where l.locktype = 'advisory' and l.classid = 0 and l.objsubid = 1"
    " and l.objid::int8 = any($1::int8[])"
    " and l.database = (select oid from pg_database where datname = current_database())";

constexpr std::string_view kCopies =
    "select coalesce(application_name, ''), coalesce(host(client_addr), ''), coalesce(state, ''),"
    " pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()"
    " else pg_current_wal_lsn() end, replay_lsn)::int8,"
    " (extract(epoch from replay_lag) * 1000)::int8 from pg_stat_replication order by 1, 2, pid";

constexpr std::string_view kPins =
    "select count(*), coalesce(min(n), 0)::int8,"
    " (extract(epoch from (array_agg(until order by n))[1]) * 1000)::int8"
    " from pins where until > now()";

std::optional<std::int64_t> number_or_nothing(const Result& result, int row, int column) {
  if (result.is_null(row, column)) return std::nullopt;
  return result.number(row, column);
}

std::optional<Time> time_or_nothing(const Result& result, int row, int column) {
  const auto ms = number_or_nothing(result, row, column);
  return ms ? std::optional(Time{*ms}) : std::nullopt;
}

std::uint64_t count_in(const Result& result, int row, int column) {
  return static_cast<std::uint64_t>(result.number(row, column));
}

DatabaseStatus facts_of(const Result& facts, const Result& pins, const Identity& identity) {
  DatabaseStatus database;
  database.version = facts.text(0, 0);
  database.layout = identity.layout;
  database.role = facts.text(0, 1);
  database.is_copy = facts.number(0, 2) != 0;
  database.sees_all = facts.number(0, 3) != 0;
  database.oldest_kept = count_in(facts, 0, 4);
  database.connections = count_in(facts, 0, 5);
  database.connections_most = count_in(facts, 0, 6);
  database.decided = count_in(facts, 0, 7);
  database.pins = {count_in(pins, 0, 0), count_in(pins, 0, 1), time_or_nothing(pins, 0, 2)};
  return database;
}

void add_processes(const Result& sessions, DirectoryStatus& status) {
  for (int row = 0; row < sessions.rows(); ++row) {
    auto process = process_named(sessions.bytes(row, 0));
    if (!process) continue;
    process->connections = count_in(sessions, row, 1);
    process->since = time_or_nothing(sessions, row, 2);
    process->silent_ms = number_or_nothing(sessions, row, 3);
    (process->address.empty() ? status.database->commands : status.servers)
        .push_back(std::move(*process));
  }
}

void add_holders(const Result& holders, DirectoryStatus& status) {
  for (int row = 0; row < holders.rows(); ++row) {
    const bool is_held = holders.number(row, 1) != 0;
    if (holders.number(row, 0) == kWritersLock) {
      if (!is_held) ++status.database->writers_waiting;
    } else if (is_held) {
      status.consumers_run = true;
      status.consumer = process_named(holders.bytes(row, 2));
    }
  }
}

std::vector<CopyStatus> copies_in(const Result& result) {
  std::vector<CopyStatus> copies;
  for (int row = 0; row < result.rows(); ++row) {
    copies.push_back({result.text(row, 0), result.text(row, 1), result.text(row, 2),
                      number_or_nothing(result, row, 3), number_or_nothing(result, row, 4)});
  }
  return copies;
}

}  // namespace

DirectoryStatus status_of(Connection& connection, const Identity& identity) {
  Array locks(Type::kInt8);
  locks.number(kWritersLock).number(kConsumersLock);
  connection.send(kFacts);
  connection.send(kPins);
  connection.send(kSessions);
  connection.send(kHolders, Params().add(locks));
  connection.send(kCopies);
  const auto results = connection.receive();
  DirectoryStatus status;
  status.format = identity.format_version;
  status.database = facts_of(results[0], results[1], identity);
  add_processes(results[2], status);
  add_holders(results[3], status);
  status.copies = copies_in(results[4]);
  return status;
}

}  // namespace chirp::postgres
