#include "store/postgres/sweeping.h"

#include <algorithm>

#include <fmt/format.h>

#include "store/postgres/edges.h"
#include "store/postgres/questions.h"
#include "store/postgres/state.h"
#include "store/postgres/storage.h"

namespace chirp::postgres {
namespace {

constexpr std::string_view kUnpinned =
    "select least($1::int8, (select min(n) from pins where until > now()))";
// The newest that is so many seconds old, unless another session or a copy is there.
constexpr std::string_view kAloneUpTo =
    "select n from commits where published and at < now() - interval '{} s'"
    " and not exists (select from pg_stat_activity where datname = current_database()"
    " and pid <> pg_backend_pid()) and not exists (select from pg_stat_replication)"
    " order by n desc limit 1";
constexpr std::string_view kOldPins = "delete from pins where until < now()";
constexpr std::string_view kStateAt =
    "select n, marks, state, writer from commits where published and n <= $1::int8"
    " order by n desc limit 1";
// The newest stays, and the one whose state says which events are needed.
constexpr std::string_view kCommits = "delete from commits where n < $1::int8";
constexpr std::string_view kEvents = "delete from events where seq < $1::int8";

template <class... T>
void send_sweeps(Connection& connection, std::int64_t horizon, TableList<T...> /*tables*/) {
  const auto send = [&]<class Table>() {
    if constexpr (!kIsEdges<Table>) {
      if (Shape<Table>::kSeen != Seen::kVersioned) return;
      connection.send(sql_of<Table>().sweep, Params().int8(horizon));
    }
  };
  (send.template operator()<T>(), ...);
  connection.send("delete from following where died <= $1::int8", Params().int8(horizon));
  connection.send("delete from followers where died <= $1::int8", Params().int8(horizon));
}

}  // namespace

std::string pins_schema() {
  return "create table if not exists pins (reader int8 primary key, n int8 not null,"
         " until timestamptz not null);";
}

bool Sweeper::published(std::int64_t number) {
  const std::lock_guard guard(mutex_);
  const Moment now = now_();
  if (!swept_) swept_ = now;
  if (published_.empty() || now - published_.back().first >= std::chrono::seconds(1)) {
    published_.emplace_back(now, number);
  }
  return now - *swept_ >= kSweepAfter;
}

// The highest number that was published so long ago, by this process's clock.
std::optional<std::int64_t> Sweeper::old_enough() {
  const std::lock_guard guard(mutex_);
  const Moment now = now_();
  swept_ = now;
  std::optional<std::int64_t> highest;
  while (!published_.empty() && now - published_.front().first >= kSweepAfter) {
    highest = published_.front().second;
    published_.pop_front();
  }
  return highest;
}

std::uint64_t Sweeper::sweep() {
  const auto old = old_enough();
  return old ? sweep_up_to(*connections_.lend(), *old) : 0;
}

std::uint64_t Sweeper::sweep_alone() {
  const auto connection = connections_.lend();
  static const std::string kAlone = fmt::format(kAloneUpTo, kSweepAfter.count());
  const Result old = connection->run(kAlone);
  return old.empty() ? 0 : sweep_up_to(*connection, old.number(0, 0));
}

std::uint64_t Sweeper::sweep_up_to(Connection& connection, std::int64_t old) {
  connection.send(kOldPins);
  connection.send(kUnpinned, Params().int8(old));
  const std::int64_t horizon = connection.receive().back().number(0, 0);
  const StoredState state = newest_in(connection.run(kStateAt, Params().int8(horizon)));
  send_sweeps(connection, horizon, AllTables{});
  connection.send(kEvents, Params().int8(static_cast<std::int64_t>(state.log_first.value)));
  connection.send(kCommits, Params().int8(static_cast<std::int64_t>(state.version)));
  std::uint64_t rows = 0;
  for (const Result& result : connection.receive()) {
    rows += static_cast<std::uint64_t>(result.changed());
  }
  return rows;
}

}  // namespace chirp::postgres
