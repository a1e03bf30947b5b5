#include "store/postgres/commit/sweeping.h"

#include <algorithm>

#include <fmt/format.h>

#include "store/postgres/commit/turn.h"
#include "store/postgres/rows/edges.h"
#include "store/postgres/rows/questions.h"
#include "store/postgres/rows/state.h"

namespace chirp::postgres {
namespace {

constexpr std::string_view kUnpinned =
    "select least($1::int8, (select min(n) from pins where until > now()))";
// The newest commit older than this, unless another session or a standby exists. Citus's own
// sessions read no snapshots.
constexpr std::string_view kAloneUpTo =
    "select n from commits where published and at < now() - interval '{} s'"
    " and not exists (select from pg_stat_activity where datname = current_database()"
    " and pid <> pg_backend_pid() and coalesce(application_name, '') !~* '^citus[ _]')"
    " and not exists (select from pg_stat_replication)"
    " order by n desc limit 1";
constexpr std::string_view kOldPins = "delete from pins where until < now()";
constexpr std::string_view kStateAt =
    "select n, marks, state, writer, touched from commits where published and n <= $1::int8"
    " order by n desc limit 1";
// Keeps the commit at the horizon, whose state says which events are needed, and all later ones.
constexpr std::string_view kCommits = "delete from commits where n < $1::int8";
constexpr std::string_view kEvents = "delete from events where seq < $1::int8";

// Statements that delete what died up to a number from the tables of one group.
std::vector<GroupQuery> sweeps_of(const Placing& placing, Group group, std::int64_t horizon) {
  std::vector<GroupQuery> asked;
  for (const StoredTable& table : stored_tables()) {
    const bool is_here = placing.is_one() || table.is_at_home == (group == kHome);
    if (!is_here || (!table.side && !table.is_versioned())) continue;
    const std::string_view sql = table.side ? dead_edges_sql(*table.side) : table.sql.sweep;
    asked.push_back({std::string(sql), Params().int8(horizon), group});
  }
  return asked;
}

std::uint64_t changed_in(const std::vector<Result>& results) {
  std::uint64_t rows = 0;
  for (const Result& result : results) rows += static_cast<std::uint64_t>(result.changed());
  return rows;
}

}  // namespace

bool Sweeper::published(std::int64_t number) {
  const std::lock_guard guard(mutex_);
  const Moment now = now_();
  if (!swept_) swept_ = now;
  if (published_.empty() || now - published_.back().first >= std::chrono::seconds(1)) {
    published_.emplace_back(now, number);
  }
  return now - *swept_ >= kSweepAfter;
}

// The highest number published at least kSweepAfter ago, by this process's clock.
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
  return old ? sweep_up_to(*old) : 0;
}

std::uint64_t Sweeper::sweep_alone() {
  static const std::string kAlone = fmt::format(kAloneUpTo, kSweepAfter.count());
  const Result old = cluster_.home().lend()->run(kAlone);
  return old.empty() ? 0 : sweep_up_to(old.number(0, 0));
}

std::uint64_t Sweeper::sweep_up_to(std::int64_t old) {
  std::int64_t horizon = 0;
  StoredState state;
  {
    const auto home = cluster_.home().lend();
    home->send(kOldPins);
    home->send(kUnpinned, Params().int8(old));
    horizon = home->receive().back().number(0, 0);
    state = newest_in(home->run(kStateAt, Params().int8(horizon)));
  }
  std::uint64_t rows = 0;
  const Placing& placing = cluster_.placing();
  if (!placing.is_one()) {
    // The raised floor replaces the records of applied commits. One transaction per group.
    for (const Group group : placing.all()) {
      std::vector<GroupQuery> asked;
      forget_applied(asked, group, state);
      const auto sweeps = sweeps_of(placing, group, horizon);
      asked.insert(asked.end(), sweeps.begin(), sweeps.end());
      rows += changed_in(cluster_.ask(asked)) - 1;
    }
  }
  auto asked = sweeps_of(placing, kHome, horizon);
  asked.push_back({std::string(kEvents),
                   Params().int8(static_cast<std::int64_t>(state.log_first.value)), kHome});
  asked.push_back(
      {std::string(kCommits), Params().int8(static_cast<std::int64_t>(state.version)), kHome});
  return rows + changed_in(cluster_.ask(asked));
}

}  // namespace chirp::postgres
