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
#include "store/postgres/sql.h"

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
  // Of each group that has rows of T.
  template <class T>
  void at_all_of(std::string_view sql, const Params& params, const Then& then) {
    if (kIsAtHome<T>) {
      other(sql, params, then);
    } else {
      at_all(sql, params, then);
    }
  }

  // `then` is given one row for each key.
  template <class T>
  void rows(std::vector<typename T::Key> keys,
            std::function<void(std::vector<std::optional<typename T::Row>>)> then);
  // `then` is given the rows of each range, as TableReader::ranges says it; `limits` has one limit
  // for each range.
  template <class T>
  void ranges(std::vector<KeyRange<T>> wanted, const std::vector<std::uint32_t>& limits,
              Direction direction, std::uint64_t enough,
              std::function<void(std::vector<RowPairs<T>>)> then);

  [[nodiscard]] const Point& point() const { return point_; }
  [[nodiscard]] const Placing& placing() const { return *placing_; }
  // Of what is asked from then on.
  void see(const Point& point) { point_ = point; }

 private:
  template <class T>
  [[nodiscard]] Params seen() const {
    Params params;
    if (Shape<T>::kSeen == Seen::kLog) {
      params.int8(point_.log_first).int8(point_.log_end);
    } else {
      params.int8(point_.number);
    }
    return params;
  }

  template <class T>
  void ask_ranges(Group group, const std::vector<KeyRange<T>>& wanted,
                  const std::vector<std::uint32_t>& limits, const std::vector<std::size_t>& which,
                  Direction direction, std::uint64_t enough, Then then);
  // Where the rows of each range lie: those of more than one key anywhere.
  template <class T>
  [[nodiscard]] Grouped groups_of(const std::vector<KeyRange<T>>& wanted) const;

  Answerer answerer_;
  const Placing* placing_;
  Point point_;
  EdgeChunks* chunks_;
  std::vector<Asked> asked_;
  std::deque<Then> then_;
};

// ---- for edges, which lie in chunks
template <class T>
constexpr bool kIsEdges =
    std::is_same_v<T, tables::Following> || std::is_same_v<T, tables::Followers>;
template <class T>
constexpr EdgeSide kSideOf =
    std::is_same_v<T, tables::Following> ? EdgeSide::kFollowing : EdgeSide::kFollowers;
template <class T>
[[nodiscard]] std::pair<UserNumber, UserNumber> ends_of(const typename T::Key& key) {
  const auto& [user, other] = key;
  return {user, other};
}

// Leaves out what is behind the range with which enough rows are found.
template <class T>
void leave_out(std::vector<RowPairs<T>>& found, std::uint64_t enough) {
  std::uint64_t rows = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    rows += found[i].size();
    if (rows < enough) continue;
    found.resize(i + 1);
    return;
  }
}

template <class T>
void Questions::rows(std::vector<typename T::Key> keys,
                     std::function<void(std::vector<std::optional<typename T::Row>>)> then) {
  if constexpr (kIsEdges<T>) {
    std::vector<std::pair<UserNumber, UserNumber>> asked;
    asked.reserve(keys.size());
    for (const auto& key : keys) asked.push_back(ends_of<T>(key));
    find_edges(*this, kSideOf<T>, asked, chunks_, std::move(then));
  } else {
    using Found = std::vector<std::optional<typename T::Row>>;
    const auto parts = grouped(keys, placing_->any_of<T>(),
                               [this](const auto& key) { return placing_->group_of_row<T>(key); });
    const auto gathered = std::make_shared<Gathered<Found>>(parts.size(), std::move(then));
    gathered->found.resize(keys.size());
    const auto all = std::make_shared<const std::vector<typename T::Key>>(std::move(keys));
    for (const auto& [group, which] : parts) {
      KeyArrays<T> arrays;
      for (const std::size_t i : which) arrays.add((*all)[i]);
      Params params = seen<T>();
      arrays.add_to(params);
      at(group, sql_of<T>().find, std::move(params),
         [gathered, all, which = which](const Result& result) {
           for (int row = 0; row < result.rows(); ++row) {
             const std::size_t i = which[static_cast<std::size_t>(result.number(row, 0) - 1)];
             ColumnReader reader(result, row, 1);
             Shape<T>::row(reader, (*all)[i], gathered->found[i].emplace());
           }
           gathered->one_is_there();
         });
    }
  }
}

template <class T>
Grouped Questions::groups_of(const std::vector<KeyRange<T>>& wanted) const {
  Grouped parts;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (placing_->is_of_one_group<T>(wanted[i].first, wanted[i].last)) {
      parts[placing_->group_of_row<T>(wanted[i].first)].push_back(i);
    } else {
      for (const Group group : placing_->all()) parts[group].push_back(i);
    }
  }
  if (parts.empty()) parts[placing_->any_of<T>()];
  return parts;
}

// The rows that several groups have found of one range, as one would have found them.
template <class T>
void put_together(RowPairs<T>& rows, Direction direction, std::uint32_t limit) {
  std::ranges::sort(rows, [direction](const auto& a, const auto& b) {
    return direction == Direction::kUp ? a.first < b.first : b.first < a.first;
  });
  if (rows.size() > limit) rows.resize(limit);
}

template <class T>
void Questions::ranges(std::vector<KeyRange<T>> wanted, const std::vector<std::uint32_t>& limits,
                       Direction direction, std::uint64_t enough,
                       std::function<void(std::vector<RowPairs<T>>)> then) {
  if constexpr (kIsEdges<T>) {
    std::vector<EdgeRange> asked;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto [user, first] = ends_of<T>(wanted[i].first);
      asked.push_back({user, first, ends_of<T>(wanted[i].last).second, limits[i]});
    }
    range_edges(*this, kSideOf<T>, std::move(asked), direction, chunks_,
                [enough, then = std::move(then)](std::vector<EdgeRows> edges) {
                  std::vector<RowPairs<T>> found;
                  for (auto& [user, rows] : edges) {
                    RowPairs<T>& pairs = found.emplace_back();
                    for (const Edge& edge : rows) {
                      pairs.emplace_back(typename T::Key{user, edge.other}, edge.since);
                    }
                  }
                  leave_out<T>(found, enough);
                  then(std::move(found));
                });
  } else {
    using Found = std::vector<RowPairs<T>>;
    const auto parts = groups_of<T>(wanted);
    const auto gathered = std::make_shared<Gathered<Found>>(
        parts.size(),
        [parts = parts.size(), limits, direction, enough, then = std::move(then)](Found found) {
          for (std::size_t i = 0; i < found.size() && parts > 1; ++i) {
            put_together<T>(found[i], direction, limits[i]);
          }
          leave_out<T>(found, enough);
          then(std::move(found));
        });
    gathered->found.resize(wanted.size());
    for (const auto& [group, which] : parts) {
      ask_ranges<T>(group, wanted, limits, which, direction, enough,
                    [gathered, which = which](const Result& result) {
                      for (int row = 0; row < result.rows(); ++row) {
                        const auto i = static_cast<std::size_t>(result.number(row, 0) - 1);
                        ColumnReader reader(result, row, 1);
                        typename T::Key key{};
                        with_fields(key, [&](auto&... fields) { (reader.read_key(fields), ...); });
                        typename T::Row of_key{};
                        Shape<T>::row(reader, key, of_key);
                        gathered->found[which[i]].emplace_back(std::move(key), std::move(of_key));
                      }
                      gathered->one_is_there();
                    });
    }
  }
}

template <class T>
void Questions::ask_ranges(Group group, const std::vector<KeyRange<T>>& wanted,
                           const std::vector<std::uint32_t>& limits,
                           const std::vector<std::size_t>& which, Direction direction,
                           std::uint64_t enough, Then then) {
  KeyArrays<T> first;
  KeyArrays<T> last;
  Array most(Type::kInt8);
  std::uint32_t largest = 0;
  for (const std::size_t i : which) {
    first.add(wanted[i].first);
    last.add(wanted[i].last);
    most.number(std::int64_t{limits[i]});
    largest = std::max(largest, limits[i]);
  }
  Params params = seen<T>();
  first.add_to(params);
  last.add_to(params);
  params.add(most);
  // So many rows that the range that makes them enough is whole.
  constexpr std::uint64_t kMost = std::uint64_t{1} << 62;
  params.int8(static_cast<std::int64_t>(std::min(enough, kMost / 2) + largest));
  at(group, direction == Direction::kUp ? sql_of<T>().up : sql_of<T>().down, std::move(params),
     std::move(then));
}

}  // namespace chirp::postgres
