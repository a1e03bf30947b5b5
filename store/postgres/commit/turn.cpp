#include "store/postgres/commit/turn.h"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "store/postgres/commit/rows_as_values.h"
#include "store/postgres/connection/locks.h"
#include "store/postgres/rows/timelines.h"

namespace chirp::postgres {
namespace {

constexpr std::string_view kLockTimeout = "55P03";
constexpr std::string_view kWriter = "select writer from commits where n = $1::int8";
constexpr std::string_view kCommit =
    "insert into commits (n, writer, published, marks, pending, state, touched, journal)"
    " values ($1::int8, $2::int8, $3::bool, $4::int8, $5::int8, $6::bytea, $7::int8[], $8::bytea)";
constexpr std::string_view kDecidedLast =
    "select n, marks, state, writer, touched, published, journal from commits"
    " order by n desc limit 1";
// Fails if this commit is below the floor, where it is no longer known whether it was applied.
constexpr std::string_view kNotTooLate =
    "select 1 / (floor < $1::int8)::int4 from node_floor t where true /*and t.b = bucket*/"
    " for share";
// Fails with an error of its own if an earlier commit ($1) is missing. The commit being applied
// ($2) already has its row.
constexpr std::string_view kNothingLacks =
    "select sqrt((coalesce(max(n), 0) >= $1::int8)::int4 - 1) from applied t"
    " where n < $2::int8 /*and t.b = bucket*/";
constexpr std::string_view kNoRoot = "2201F";
constexpr std::string_view kPublishedLast =
    "select touched from commits where published order by n desc limit 1";
// Fails if the commit is already applied.
constexpr std::string_view kApplied =
    "insert into applied (/*b, */n) values (/*bucket, */$1::int8)";
constexpr std::string_view kAppliedOnce = "applied_once";
constexpr std::string_view kNothing = "select $1::int8 /*, bucket*/";
constexpr std::string_view kPublish =
    "update commits set published = true, journal = null where n = $1::int8 and not published";
constexpr std::string_view kRaiseFloor =
    "update node_floor t set floor = greatest(floor, $1::int8) where true /*and t.b = bucket*/";
constexpr std::string_view kForget =
    "delete from applied t where n < $1::int8 /*and t.b = bucket*/";

Params commit_params(std::int64_t number, const StoredState& state, std::int64_t writer,
                     bool is_published) {
  const auto pending = static_cast<std::int64_t>(first_pending(state).value);
  Params params;
  params.int8(number).int8(writer).boolean(is_published).int8(state.marks).int8(pending);
  return params.bytes(packed_state(state));
}

// Takes the lock and runs the queries queued after it; the last one reads the newest state.
std::vector<Result> lock(Connection& home, const TurnOptions& options, std::string_view lock,
                         const std::function<std::vector<Result>()>& receive) {
  const Time here = options.clock();
  begin_waiting(home, options.patience);
  home.send(lock);
  try {
    auto results = receive();
    check_clock(results.front(), here);
    return results;
  } catch (const PostgresError& error) {
    if (error.sqlstate() != kLockTimeout) throw;
    throw Error(ErrorCode::kUnavailable,
                "The database is busy: others have been writing for too long. Try again.");
  }
}

// The statements that compact the timelines that deliveries made too long.
Writes ordering(Group group, const std::vector<Write>& writes, std::span<const Result> results,
                std::uint32_t cap, const std::function<Result(const GroupQuery&)>& ask) {
  Writes ordered;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (!writes[i].delivers) continue;
    const auto viewers = too_long_in(results[i]);
    if (!viewers.empty()) put_anew(ordered, group, ask(whole_timelines(group, viewers)), cap);
  }
  return ordered;
}

bool deliver(const std::vector<Write>& writes) {
  return std::ranges::any_of(writes, &Write::delivers);
}

// ---------------------------------------------------------------- one database

class OneTurn final : public WriteTurn {
 public:
  OneTurn(Connection& connection, TurnOptions options)
      : connection_(connection), options_(std::move(options)) {
    const auto results = lock(connection_, options_, kLockWriters, [this] {
      connection_.send(kNewest);
      return connection_.receive();
    });
    state_ = newest_in(results.back());
  }

  [[nodiscard]] std::vector<Result> ask(std::span<const GroupQuery> asked) override {
    for (const GroupQuery& one : asked) send(one.sql, one.params);
    return receive();
  }

  void commit(const Writes& writes, const StoredState& after, std::int64_t writer) override {
    for (const auto& [group, of_group] : writes.of_groups()) {
      send(of_group);
      if (!deliver(of_group)) continue;
      const auto results = receive();
      const auto ordered = ordering(
          group, of_group, results, after.settings.cap,
          [this](const GroupQuery& asked) { return connection_.run(asked.sql, asked.params); });
      for (const auto& [home, rest] : ordered.of_groups()) send(rest);
    }
    connection_.send(kCommit, commit_params(number(), after, writer, true).null().null());
    options_.at_step(Step::kWritten);
    unless_waited_for([this] { return connection_.commit(); });
  }

 private:
  void send(const std::vector<Write>& writes) {
    for (const Write& write : writes) send(write.sql, write.params);
  }
  void send(std::string_view sql, const Params& params) {
    if (options_.is_waited_for) connection_.send(kGiveWay);
    connection_.send(sql, params);
  }
  std::vector<Result> receive() {
    auto results = unless_waited_for([this] { return connection_.receive(); });
    if (!options_.is_waited_for) return results;
    for (std::size_t i = 1; i < results.size(); i += 2) results[i / 2] = std::move(results[i]);
    results.erase(results.begin() + static_cast<std::ptrdiff_t>(results.size() / 2), results.end());
    return results;
  }
  template <class Receive>
  std::vector<Result> unless_waited_for(Receive receive) {
    if (options_.is_waited_for && options_.is_waited_for()) throw GaveWay();
    try {
      return receive();
    } catch (const PostgresError& error) {
      if (!options_.is_waited_for || error.sqlstate() != kDivisionByZero) throw;
      throw GaveWay();
    }
  }

  Connection& connection_;
  TurnOptions options_;
};

// ---------------------------------------------------------------- several servers

class NumberedTurn final : public WriteTurn {
 public:
  NumberedTurn(Cluster& cluster, Connection& home, TurnOptions options)
      : cluster_(cluster), home_(home), options_(std::move(options)) {
    try {
      const auto results = lock(home_, options_, kHoldWriters, [this] {
        home_.send(kDecidedLast);
        cluster_.ask_places(home_);
        return home_.commit();
      });
      const Result& last = results.at(kLast);
      if (cluster_.can_move()) cluster_.learn_places(results.back());
      state_ = newest_in(last);
      check_is_newest();
      if (last.number(0, 5) == 0 && keeps(Safeguard::kFinishing)) {
        const Result before = home_.run(kPublishedLast);
        apply(number() - 1, Writes::from_journal(last.bytes(0, 6)),
              before.is_null(0, 0) ? std::vector<std::int64_t>{} : numbers_in(before.bytes(0, 0)),
              state_.settings.cap);
        home_.run(kPublish, Params().int8(number() - 1));
      }
    } catch (...) {
      release();
      throw;
    }
  }
  ~NumberedTurn() override { release(); }

  [[nodiscard]] std::vector<Result> ask(std::span<const GroupQuery> asked) override {
    return cluster_.ask(home_, asked, state_.touched);
  }

  void commit(const Writes& writes, const StoredState& after, std::int64_t writer) override {
    home_.begin();
    if (const auto of_home = writes.of_groups().find(kHome); of_home != writes.of_groups().end()) {
      for (const Write& write : of_home->second) home_.send(write.sql, write.params);
    }
    home_.send(kCommit, commit_params(number(), after, writer, false)
                            .add(touched_by(writes))
                            .bytes(writes.journal()));
    options_.at_step(Step::kWritten);
    home_.commit();
    options_.at_step(Step::kDecided);
    if (keeps(Safeguard::kApplyBefore)) apply(number(), writes, state_.touched, after.settings.cap);
    // A separate transaction releases the lock: in the same one, the next writer would read the
    // previous number.
    home_.send(kPublish, Params().int8(number()));
    home_.separate();
    home_.send(kLetWritersGo);
    home_.receive();
    is_held_ = false;
    options_.at_step(Step::kPublished);
    if (!keeps(Safeguard::kApplyBefore)) {
      apply(number(), writes, state_.touched, after.settings.cap);
    }
  }

 private:
  [[nodiscard]] bool keeps(Safeguard safeguard) const { return options_.without != safeguard; }

  void release() noexcept {
    if (!is_held_) return;
    home_.rollback();
    try {
      if (!home_.broken()) home_.run(kLetWritersGo);
    } catch (const Error&) {
      // The lock ends with the session.
      home_.give_up();
    }
  }

  // A home restored to an older state would reuse numbers of applied commits, and the new commits
  // would count as applied. A restore closes connections, so each is checked once.
  void check_is_newest() {
    if (home_.is_trusted() || !keeps(Safeguard::kNewestHome)) return;
    std::vector<GroupQuery> reached;
    for (const Group group : cluster_.placing().all()) {
      reached.push_back({std::string(kReach), {}, group});
    }
    for (const Result& result : cluster_.ask(home_, reached)) {
      if (result.number(0, 0) < number()) continue;
      throw Error(ErrorCode::kUnavailable,
                  fmt::format("Home has commits up to {}, and another server has {}: home was put "
                              "back to an older state. Nothing is written. Put all servers back "
                              "to one moment, or read what home has with `chirp export` and load "
                              "it into a new database.",
                              number() - 1, result.number(0, 0)));
    }
    home_.trust();
  }

  [[nodiscard]] Array touched_by(const Writes& writes) const {
    std::vector<std::int64_t> touched = state_.touched;
    touched.resize(cluster_.placing().groups());
    for (const auto& [group, of_group] : writes.of_groups()) {
      if (group != kHome) touched[group - 1] = number();
    }
    Array array(Type::kInt8);
    for (const std::int64_t commit : touched) array.number(commit);
    return array;
  }

  // Applies a commit where it is not applied yet. `before`: the commit that each group must have.
  void apply(std::int64_t number, const Writes& writes, const std::vector<std::int64_t>& before,
             std::uint32_t cap) {
    std::vector<Group> groups;
    std::map<Group, std::vector<Write>> as_values;
    for (const auto& [group, of_group] : writes.of_groups()) {
      if (group == kHome) continue;
      groups.push_back(group);
      if (cluster_.can_move()) as_values.emplace(group, rows_as_values(of_group));
    }
    const auto& of_groups = cluster_.can_move() ? as_values : writes.of_groups();
    try {
      cluster_.in_turns(groups, [&](std::vector<Cluster::Lent>& lent) {
        for (const auto& to : lent) {
          begin(to, number, before.empty() ? 0 : before.at(to.group - 1), of_groups.at(to.group));
        }
        std::exception_ptr failure;
        for (const auto& to : lent) {
          try {
            end(to, of_groups.at(to.group), cap);
          } catch (const Error&) {
            if (!failure) failure = std::current_exception();
          }
        }
        if (failure) std::rethrow_exception(failure);
      });
    } catch (const Error&) {
      cluster_.doubt_places();
      throw;
    }
  }

  // A transaction that writes begins with its write. If it read first, Citus would keep its earlier
  // knowledge of the shard's place, and the write would be lost if the shard moved in between. A
  // writer that is too late fails after its insert, which the transaction rolls back. The check for
  // lateness comes before the check for missing commits, because the floor may already have removed
  // the previous commit.
  void begin(const Cluster::Lent& to, std::int64_t number, std::int64_t before,
             const std::vector<Write>& writes) {
    Connection& connection = to.connection();
    connection.begin();
    const auto ask = [&](Safeguard safeguard, std::string_view sql, Params params) {
      const bool keeps_it = keeps(safeguard);
      cluster_.send(connection, {std::string(keeps_it ? sql : kNothing),
                                 keeps_it ? std::move(params) : Params().int8(0), to.group});
    };
    ask(Safeguard::kAppliedOnce, kApplied, Params().int8(number));
    ask(Safeguard::kNotTooLate, kNotTooLate, Params().int8(number));
    ask(Safeguard::kNothingLacks, kNothingLacks, Params().int8(before).int8(number));
    send(to, writes);
    if (!deliver(writes)) connection.end();
    connection.dispatch();
  }

  void end(const Cluster::Lent& to, const std::vector<Write>& writes, std::uint32_t cap) {
    Connection& connection = to.connection();
    std::vector<Result> results;
    try {
      results = connection.receive();
    } catch (const PostgresError& error) {
      if (error.sqlstate() == kNoRoot) {
        throw PostgresError(
            ErrorCode::kUnavailable,
            fmt::format("The database {} lacks what was committed there before: {} See which one "
                        "with `chirp status`, and put all servers back to one moment.",
                        connection.shown(), why_commits_lack()),
            error.sqlstate(), "");
      }
      // An error forwarded by Citus names the constraint only in its message.
      const bool is_applied =
          error.sqlstate() == kUniqueViolation &&
          std::string_view(error.what()).find(kAppliedOnce) != std::string_view::npos;
      if (!is_applied && error.sqlstate() != kDivisionByZero) throw;
      connection.rollback();
      return;
    }
    if (results.at(kFloor).empty()) {
      throw Error(ErrorCode::kCorrupt,
                  "A server does not say up to where commits are applied "
                  "there (node_floor). Restore a backup.");
    }
    if (deliver(writes)) {
      const auto ordered = ordering(to.group, writes, std::span(results).subspan(kWrites), cap,
                                    [&](const GroupQuery& asked) {
                                      cluster_.send(connection, asked);
                                      return std::move(connection.receive().back());
                                    });
      for (const auto& [group, rest] : ordered.of_groups()) {
        send(to, cluster_.can_move() ? rows_as_values(rest) : rest);
      }
      connection.commit();
    }
    options_.at_step(Step::kApplied);
  }

  void send(const Cluster::Lent& to, const std::vector<Write>& writes) {
    for (const Write& write : writes) {
      cluster_.send(to.connection(), {write.sql, write.params, to.group});
    }
  }

  Cluster& cluster_;
  Connection& home_;
  TurnOptions options_;
  // Indexes of results: in the lock's round trip, and in a transaction that applies a commit.
  static constexpr std::size_t kLast = 2;
  static constexpr std::size_t kFloor = 1;
  static constexpr std::size_t kWrites = 3;

  bool is_held_ = true;
};

}  // namespace

std::unique_ptr<WriteTurn> take_turn(Cluster& cluster, Connection& home, TurnOptions options) {
  if (cluster.is_one()) return std::make_unique<OneTurn>(home, std::move(options));
  return std::make_unique<NumberedTurn>(cluster, home, std::move(options));
}

std::int64_t writer_of(WriteTurn& turn, std::int64_t number) {
  const GroupQuery asked{std::string(kWriter), Params().int8(number), kHome};
  const auto results = turn.ask({&asked, 1});
  return results.front().empty() ? 0 : results.front().number(0, 0);
}

void forget_applied(std::vector<GroupQuery>& asked, Group group, const StoredState& state) {
  const auto number = static_cast<std::int64_t>(state.version);
  const std::int64_t newest = state.touched.empty() ? 0 : state.touched.at(group - 1);
  asked.push_back({std::string(kRaiseFloor), Params().int8(number), group});
  asked.push_back({std::string(kForget), Params().int8(newest), group});
}

}  // namespace chirp::postgres
