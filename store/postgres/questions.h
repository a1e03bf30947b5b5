// Questions to the database that go out together: one round trip for all that is asked before
// ask(), and one more for each set of questions that answers lead to. What is asked by keys is
// asked of who has them, of all at once.
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
#include "store/postgres/edges.h"
#include "store/postgres/stored_tables.h"

namespace chirp::postgres {

// What is seen: the state of a number, and the log between two ends.
struct Point {
  std::int64_t number = 0;
  std::int64_t log_first = 0;
  std::int64_t log_end = 0;
};
// All that is there, in a transaction that sees one state: the newest. Of the log there may be more
// than that state says.
inline constexpr Point kNewestPoint{std::numeric_limits<std::int64_t>::max(), 0,
                                    std::numeric_limits<std::int64_t>::max()};

// A statement that is to go out, and whom it asks.
struct Asked {
  std::string sql;
  Params params;
  Group group = kHome;
};
// Asks them in one round trip: a result for each.
using Answerer = std::function<std::vector<Result>(std::span<const Asked>)>;
[[nodiscard]] std::vector<Result> answers_of(Connection& connection, std::span<const Asked> asked);

// Which of some things, by their places, are asked of which group. Of no things one is asked all
// the same, so that who waits for an answer is told.
using Grouped = std::map<Group, std::vector<std::size_t>>;
template <class Things, class GroupOf>
[[nodiscard]] Grouped grouped(const Things& things, Group of_none, GroupOf group_of) {
  Grouped parts;
  for (std::size_t i = 0; i < things.size(); ++i) parts[group_of(things[i])].push_back(i);
  if (parts.empty()) parts[of_none];
  return parts;
}

// The same in parts, each of which a statement is done with soon: between two of them a load may
// give way.
inline constexpr std::size_t kKeysAtOnce = 8'192;
[[nodiscard]] std::vector<std::pair<Group, std::vector<std::size_t>>> in_parts(Grouped groups);

// What several answers are gathered in; handed on with the last of them.
template <class Found>
class Gathered {
 public:
  Gathered(std::size_t parts, std::function<void(Found)> then)
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

  // `placing` outlives it. `chunks`, if given, learns which chunks of edges were read.
  Questions(Answerer answerer, const Placing& placing, const Point& point,
            EdgeChunks* chunks = nullptr)
      : answerer_(std::move(answerer)), placing_(&placing), point_(point), chunks_(chunks) {}

  void ask();

  // Of home.
  void other(std::string_view sql, Params params, Then then) {
    at(kHome, sql, std::move(params), std::move(then));
  }
  void at(Group group, std::string_view sql, Params params, Then then) {
    asked_.push_back({std::string(sql), std::move(params), group});
    then_.push_back(std::move(then));
  }
  // Of each group that has rows of users and contents: `then` is given the answer of each.
  void at_all(std::string_view sql, const Params& params, const Then& then) {
    for (const Group group : placing_->all()) at(group, sql, params, then);
  }
  // Asks each group that has rows of the table.
  void at_all_of(const StoredTable& table, std::string_view sql, const Params& params,
                 const Then& then) {
    if (table.is_at_home) {
      other(sql, params, then);
    } else {
      at_all(sql, params, then);
    }
  }

  // `then` is given each key with its row, or without one, in the order of the keys.
  using ThenRows = std::function<void(std::vector<AnyRow>)>;
  void rows(const TableType& type, std::vector<AnyRow> keys, ThenRows then);
  // `then` is given the rows of each range, as TableReader::ranges says it.
  using ThenRanges = std::function<void(std::vector<std::vector<AnyRow>>)>;
  void ranges(const TableType& type, std::vector<AnyRange> wanted, Direction direction,
              std::uint64_t enough, ThenRanges then);

  // The same of a table that is known, for code that wants its rows as they are.
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

  [[nodiscard]] const Point& point() const { return point_; }
  [[nodiscard]] const Placing& placing() const { return *placing_; }
  // Of what is asked from then on.
  void see(const Point& point) { point_ = point; }

 private:
  [[nodiscard]] Params seen(const StoredTable& table) const;
  void edge_rows(EdgeSide side, std::vector<AnyRow> keys, ThenRows then);
  void edge_ranges(EdgeSide side, const std::vector<AnyRange>& wanted, Direction direction,
                   std::uint64_t enough, ThenRanges then);
  void ask_ranges(Group group, const StoredTable& table, const std::vector<AnyRange>& wanted,
                  const std::vector<std::size_t>& which, Direction direction, std::uint64_t enough,
                  Then then);
  // Where the rows of each range lie: those of more than one key anywhere.
  [[nodiscard]] Grouped groups_of(const StoredTable& table,
                                  const std::vector<AnyRange>& wanted) const;

  Answerer answerer_;
  const Placing* placing_;
  Point point_;
  EdgeChunks* chunks_;
  std::vector<Asked> asked_;
  std::deque<Then> then_;
};

// The two ends of an edge: whose side it is, and the other user.
[[nodiscard]] EdgeChunks::Pair ends_of(EdgeSide side, const void* key);

}  // namespace chirp::postgres
