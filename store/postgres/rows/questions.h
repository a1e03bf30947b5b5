// Queries that are sent together: one round trip for everything queued before ask(), and one more
// for each set of queries that results lead to. Queries by key are sent to all groups that store
// the keys at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ports/row_reader.h"
#include "store/postgres/rows/edges.h"
#include "store/postgres/rows/stored_tables.h"

namespace chirp::postgres {

// A visible state: commit number, and range of the log.
struct SnapshotPoint {
  std::int64_t number = 0;
  std::int64_t log_first = 0;
  std::int64_t log_end = 0;
};
// Everything visible in a repeatable-read transaction: the newest state. The log may extend beyond
// what that state says.
inline constexpr SnapshotPoint kNewestPoint{std::numeric_limits<std::int64_t>::max(), 0,
                                            std::numeric_limits<std::int64_t>::max()};

// A statement, and the group to send it to.
struct GroupQuery {
  std::string sql;
  Params params;
  Group group = kHome;
};
// Sends statements in one round trip. Returns a result for each.
using AskFunction = std::function<std::vector<Result>(std::span<const GroupQuery>)>;
[[nodiscard]] std::vector<Result> answers_of(Connection& connection,
                                             std::span<const GroupQuery> asked);

// Positions of the things to query, by group. Without things, `of_none` is queried anyway, so the
// callback is always called.
using ByGroup = std::map<Group, std::vector<std::size_t>>;
template <class Things, class GroupOf>
[[nodiscard]] ByGroup grouped(const Things& things, Group of_none, GroupOf group_of) {
  ByGroup parts;
  for (std::size_t i = 0; i < things.size(); ++i) parts[group_of(things[i])].push_back(i);
  if (parts.empty()) parts[of_none];
  return parts;
}

// Splits them, so that each statement is short: a load may give way between two of them.
inline constexpr std::size_t kKeysAtOnce = 8'192;
[[nodiscard]] std::vector<std::pair<Group, std::vector<std::size_t>>> in_parts(ByGroup groups);

// Collects several answers, and passes them on after the last.
template <class Found>
class GatheredParts {
 public:
  GatheredParts(std::size_t parts, std::function<void(Found)> then)
      : left_(parts), then_(std::move(then)) {}
  void one_is_there() {
    if (--left_ == 0) then_(std::move(found));
  }

  Found found{};

 private:
  std::size_t left_;
  std::function<void(Found)> then_;
};

class Questions {
 public:
  using Then = std::function<void(const Result&)>;

  // `placing` must outlive it. `chunks`, if given, learns which chunks of edges were read.
  Questions(AskFunction answerer, const Placing& placing, const SnapshotPoint& point,
            EdgeChunks* chunks = nullptr)
      : answerer_(std::move(answerer)), placing_(&placing), point_(point), chunks_(chunks) {}

  void ask();

  // Queries home.
  void other(std::string_view sql, Params params, Then then) {
    at(kHome, sql, std::move(params), std::move(then));
  }
  void at(Group group, std::string_view sql, Params params, Then then) {
    asked_.push_back({std::string(sql), std::move(params), group});
    then_.push_back(std::move(then));
  }
  // Queries each group that stores rows of users and contents; calls `then` for each answer.
  void at_all(std::string_view sql, const Params& params, const Then& then) {
    for (const Group group : placing_->all()) at(group, sql, params, then);
  }
  // Queries each group that stores rows of the table.
  void at_all_of(const StoredTable& table, std::string_view sql, const Params& params,
                 const Then& then) {
    if (table.is_at_home) {
      other(sql, params, then);
    } else {
      at_all(sql, params, then);
    }
  }

  // `then` receives each key with its row, or without one, in the order of the keys.
  using ThenRows = std::function<void(std::vector<AnyRow>)>;
  void rows(const TableType& type, std::vector<AnyRow> keys, ThenRows then);
  // `then` receives the rows of each range, as for TableReader::ranges.
  using ThenRanges = std::function<void(std::vector<std::vector<AnyRow>>)>;
  void ranges(const TableType& type, std::vector<AnyRange> wanted, Direction direction,
              std::uint64_t enough, ThenRanges then);

  // The typed form, for a table known at compile time.
  template <class T, class ThenTyped>
  void rows(const std::vector<typename T::Key>& keys, ThenTyped then) {
    std::vector<AnyRow> asked;
    for (const auto& key : keys) asked.push_back(any_row<T>(key));
    rows(table_type<T>(), std::move(asked), [then = std::move(then)](const auto& found) {
      std::vector<std::optional<typename T::Row>> typed;
      typed.reserve(found.size());
      for (const AnyRow& row : found) typed.push_back(found_in<T>(row));
      then(std::move(typed));
    });
  }
  // The rows of one range.
  template <class T, class ThenTyped>
  void range(const KeyRange<T>& wanted, std::uint32_t limit, ThenTyped then) {
    ranges(table_type<T>(), {{any_row<T>(wanted.first), any_row<T>(wanted.last), limit}},
           Direction::kUp, 1, [then = std::move(then)](const auto& found) {
             std::vector<typename T::Row> typed;
             for (const AnyRow& row : found.front()) typed.push_back(*row_of<T>(row));
             then(std::move(typed));
           });
  }

  [[nodiscard]] const SnapshotPoint& point() const { return point_; }
  [[nodiscard]] const Placing& placing() const { return *placing_; }
  // Sets the state that later queries read.
  void see(const SnapshotPoint& point) { point_ = point; }

 private:
  [[nodiscard]] Params seen(const StoredTable& table) const;
  void edge_rows(EdgeSide side, std::vector<AnyRow> keys, ThenRows then);
  void edge_ranges(EdgeSide side, const std::vector<AnyRange>& wanted, Direction direction,
                   std::uint64_t enough, ThenRanges then);
  void ask_ranges(Group group, const StoredTable& table, const std::vector<AnyRange>& wanted,
                  const std::vector<std::size_t>& which, Direction direction, std::uint64_t enough,
                  Then then);
  // The groups that store the rows of each range; a range of several keys may be in any group.
  [[nodiscard]] ByGroup groups_of(const StoredTable& table,
                                  const std::vector<AnyRange>& wanted) const;

  AskFunction answerer_;
  const Placing* placing_;
  SnapshotPoint point_;
  EdgeChunks* chunks_;
  std::vector<GroupQuery> asked_;
  std::deque<Then> then_;
};

// The users of an edge: the owner of this side, and the other user.
[[nodiscard]] EdgeChunks::Pair ends_of(EdgeSide side, const void* key);

}  // namespace chirp::postgres
