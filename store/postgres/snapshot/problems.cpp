// Damage that only the store itself can detect: missing tables and keys, two visible rows of a key,
// indexes that disagree with records, counts that disagree with tables, unreadable parts of
// timelines.
#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "core/ports/reads.h"
#include "core/rules/indexes.h"
#include "store/postgres/rows/edges.h"
#include "store/postgres/snapshot/snapshot.h"

namespace chirp::postgres {
namespace {

using namespace tables;

constexpr std::size_t kProblemsMax = 1000;
constexpr std::uint32_t kBlock = 1000;

// Tables without a valid primary key, and invalid indexes, such as those of a failed build.
constexpr std::string_view kUnkept =
    "select c.relname::text from pg_class c where c.relkind = 'r' /*and bucket is not null*/"
    " and c.relnamespace = current_schema()::regnamespace and not exists (select 1 from pg_index i"
    " where i.indrelid = c.oid and i.indisprimary and i.indisvalid) union all"
    " select c.relname::text from pg_index i join pg_class c on c.oid = i.indexrelid"
    " where not i.indisvalid and c.relnamespace = current_schema()::regnamespace order by 1";
constexpr std::string_view kOrphans =
    "select count(*) from timeline_parts p where not exists (select 1 from timelines t"
    " where t.viewer = p.viewer /*and t.b = bucket*/) /*and p.b = bucket*/";
constexpr std::string_view kNewestNumber = "select max(n) from commits";

// Counts rows that died before they were born and keys with two live rows, and finds the highest
// commit number.
std::string numbers_sql(std::string_view name, std::string_view keys) {
  return fmt::format(
      "select (select count(*) from {0} t where died <= born /*and t.b = bucket*/),"
      " (select max(greatest(born, died)) from {0} t where true /*and t.b = bucket*/),"
      " (select count(*) from (select 1 from {0} t where died is null /*and t.b = bucket*/"
      " group by {1} having count(*) > 1) x)",
      name, keys);
}
// Counts rows with numbers above $1.
std::string above_sql(std::string_view name) {
  return fmt::format(
      "select count(*) from {} t where (born > $1::int8 or died > $1::int8) /*and t.b = bucket*/",
      name);
}

std::string keys_of(const TableText& table) {
  std::string keys;
  for (const Column& key : table.keys) keys += (keys.empty() ? "" : ", ") + key.name;
  return keys;
}

}  // namespace

// Runs the snapshot's own queries, and some of the catalogue, on home.
class DatabaseInspector {
 public:
  explicit DatabaseInspector(const PostgresSnapshot& snapshot)
      : snapshot_(snapshot), state_(snapshot.stored_state()) {
    snapshot.reading_.stay_at_home();
  }

  std::vector<std::string> run() {
    attempt([&] { keys(); });
    attempt([&] { numbers(); });
    for (const auto& walk : rules::index_walks()) attempt([&] { index(*walk); });
    attempt([&] { counts(); });
    attempt([&] { notices(); });
    attempt([&] { timelines(); });
    return std::move(problems_);
  }

 private:
  void note(std::string what) {
    if (problems_.size() < kProblemsMax) problems_.push_back(std::move(what));
  }
  // Notes damage found by `look` as a problem, and goes on.
  template <class Look>
  void attempt(Look look) {
    try {
      look();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kCorrupt) throw;
      note(error.what());
    }
  }

  void keys() {
    std::set<std::string> unkept;
    snapshot_.in_round([&](Questions& questions) {
      const auto take = [&](const Result& result) {
        for (int row = 0; row < result.rows(); ++row) unkept.insert(result.text(row, 0));
      };
      questions.other(kUnkept, {}, take);
      if (!questions.placing().is_one()) questions.at_all(kUnkept, {}, take);
    });
    for (const auto& name : unkept) note(fmt::format("{} has no valid key or index", name));
  }

  struct Numbers {
    std::string name;
    bool is_at_home = false;
    std::int64_t wrong = 0;
    std::int64_t highest = 0;
    std::int64_t doubled = 0;
  };

  // Reads the newest number last, so that concurrent writes do not look like damage.
  void numbers() {
    std::vector<Numbers> tables;
    for (const StoredTable& table : stored_tables()) {
      if (table.side || !table.is_versioned()) continue;
      tables.push_back({table.text.name, table.is_at_home});
      ask_numbers(tables.back(), keys_of(table.text));
    }
    for (const auto* const name : {"following", "followers"}) {
      tables.push_back({name});
      ask_numbers(tables.back(), "usr, bound");
    }
    std::int64_t newest = 0;
    snapshot_.in_round([&](Questions& questions) {
      questions.other(kNewestNumber, {},
                      [&](const Result& result) { newest = result.number(0, 0); });
    });
    for (Numbers& table : tables) {
      if (table.highest > newest) {
        at_all_of(table, above_sql(table.name), Params().int8(newest),
                  [&](const Result& result) { table.wrong += result.number(0, 0); });
      }
      say(table.wrong, table.name, "rows with numbers that are none of a commit");
      say(table.doubled, table.name, "keys of which there are several rows");
    }
  }
  void ask_numbers(Numbers& table, const std::string& keys) {
    at_all_of(table, numbers_sql(table.name, keys), {}, [&](const Result& result) {
      table.wrong += result.number(0, 0);
      table.highest = std::max(table.highest, result.number(0, 1));
      table.doubled += result.number(0, 2);
    });
  }
  void at_all_of(const Numbers& table, const std::string& sql, const Params& params,
                 const Questions::Then& then) {
    snapshot_.in_round([&](Questions& questions) {
      if (table.is_at_home) {
        questions.other(sql, params, then);
      } else {
        questions.at_all(sql, params, then);
      }
    });
  }
  void say(std::int64_t count, std::string_view table, std::string_view what) {
    if (count != 0) note(fmt::format("table {} has {} {}", table, count, what));
  }

  void index(rules::IndexWalk& walk) {
    std::size_t wrong = 0;
    do {
      rules::Fixes fixes;
      walk.look(snapshot_, fixes);
      wrong += fixes.rows.size();
    } while (walk.go_on());
    if (wrong == 0) return;
    note(fmt::format("{}: {} rows of indexes are not what records say", walk.name(), wrong));
  }

  void counts() {
    auto rows = snapshot_.table_rows();
    const auto expect = [&](const std::string& table, std::uint64_t said) {
      if (rows[table] == said) return;
      note(fmt::format("table {} has {} rows instead of {}", table, rows[table], said));
    };
    expect("removals", state_.removals);
    expect("relations", state_.relations);
    expect("post_removals", state_.post_removals);
    expect("fan_out_queue", state_.fan_out_queue);
    std::int64_t follows = 0;
    snapshot_.in_round([&](Questions& questions) {
      const SnapshotPoint& point = questions.point();
      questions.at_all(kCountFollows, Params().int8(point.number),
                       [&](const Result& result) { follows += result.number(0, 0); });
      questions.other(stored<Events>().sql.count,
                      Params().int8(point.log_first).int8(point.log_end),
                      [&](const Result& result) {
                        if (result.number(0, 0) == point.log_end - point.log_first) return;
                        note(fmt::format("the log has {} events instead of {}", result.number(0, 0),
                                         point.log_end - point.log_first));
                      });
    });
    if (follows == state_.follows) return;
    note(fmt::format("there are {} follows instead of {}", follows, state_.follows));
  }

  void notices() {
    std::map<UserNumber, std::uint64_t> counts;
    walk<Notifications>([&](const auto& key, const auto& /*row*/) { ++counts[key.user]; });
    walk<Readers>([&](const auto& key, const auto& row) {
      const auto found = counts.extract(key.user);
      if (row.notifications == (found.empty() ? 0 : found.mapped())) return;
      note(fmt::format("the notifications of user number {} are miscounted", key.user.value));
    });
    for (const auto& [user, rows] : counts) {
      note(fmt::format("the notifications of user number {} are not counted", user.value));
    }
  }

  void timelines() {
    UserNumber after = kNobody;
    for (;;) {
      const auto viewers = snapshot_.scan_timelines(after, kBlock);
      if (viewers.empty()) break;
      after = viewers.back();
      try {
        read(viewers);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::kCorrupt) throw;
        for (const UserNumber viewer : viewers) attempt_one(viewer);
      }
    }
    std::int64_t orphans = 0;
    snapshot_.in_round([&](Questions& questions) {
      questions.at_all(kOrphans, {}, [&](const Result& result) { orphans += result.number(0, 0); });
    });
    say(orphans, "timeline_parts", "rows of nobody's timeline");
  }

  void read(std::span<const UserNumber> viewers) {
    snapshot_.in_round([&](Questions& questions) {
      for (const UserNumber viewer : viewers) find_timeline(questions, viewer, [](const auto&) {});
    });
  }
  void attempt_one(UserNumber viewer) {
    try {
      read({&viewer, 1});
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kCorrupt) throw;
      note(fmt::format("the timeline of user number {} can't be read", viewer.value));
    }
  }

  template <class T, class Visit>
  void walk(Visit visit) {
    typename T::Key after{};
    for (;;) {
      const auto rows = reads::above<T>(snapshot_, after, kBlock);
      for (const auto& [key, row] : rows) visit(key, row);
      if (rows.size() < kBlock) return;
      after = rows.back().first;
    }
  }

  const PostgresSnapshot& snapshot_;
  const StoredState& state_;
  std::vector<std::string> problems_;
};

std::vector<std::string> PostgresSnapshot::problems() const {
  return DatabaseInspector(*this).run();
}

}  // namespace chirp::postgres
