// Questions to the database that go out together: one round trip for all that is asked before
// ask(), and one more for each set of questions that answers lead to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
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

// A statement that is to go out.
struct Asked {
  std::string sql;
  Params params;
};
// Asks them in one round trip: a result for each.
using Answerer = std::function<std::vector<Result>(std::span<const Asked>)>;
[[nodiscard]] std::vector<Result> answers_of(Connection& connection, std::span<const Asked> asked);

class Questions {
 public:
  using Then = std::function<void(const Result&)>;

  // `chunks`, if given, learns which chunks of edges were read.
  Questions(Connection& connection, const Point& point, EdgeChunks* chunks = nullptr)
      : Questions(
            [&connection](std::span<const Asked> asked) { return answers_of(connection, asked); },
            point, chunks) {}
  Questions(Answerer answerer, const Point& point, EdgeChunks* chunks = nullptr)
      : answerer_(std::move(answerer)), point_(point), chunks_(chunks) {}

  void ask();

  void other(std::string_view sql, Params params, Then then) {
    asked_.push_back({std::string(sql), std::move(params)});
    then_.push_back(std::move(then));
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

  Answerer answerer_;
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
    find_edges(*this, kSideOf<T>, std::move(asked), chunks_, std::move(then));
  } else {
    KeyArrays<T> arrays;
    for (const auto& key : keys) arrays.add(key);
    Params params = seen<T>();
    arrays.add_to(params);
    other(sql_of<T>().find, std::move(params),
          [keys = std::move(keys), then = std::move(then)](const Result& result) {
            std::vector<std::optional<typename T::Row>> found(keys.size());
            for (int row = 0; row < result.rows(); ++row) {
              const auto at = static_cast<std::size_t>(result.number(row, 0) - 1);
              ColumnReader reader(result, row, 1);
              Shape<T>::row(reader, keys[at], found[at].emplace());
            }
            then(std::move(found));
          });
  }
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
    KeyArrays<T> first;
    KeyArrays<T> last;
    Array most(Type::kInt8);
    std::uint32_t largest = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
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
    other(direction == Direction::kUp ? sql_of<T>().up : sql_of<T>().down, std::move(params),
          [ranges = wanted.size(), enough, then = std::move(then)](const Result& result) {
            std::vector<RowPairs<T>> found(ranges);
            for (int row = 0; row < result.rows(); ++row) {
              const auto at = static_cast<std::size_t>(result.number(row, 0) - 1);
              ColumnReader reader(result, row, 1);
              typename T::Key key{};
              with_fields(key, [&](auto&... fields) { (reader.read_key(fields), ...); });
              typename T::Row of_key{};
              Shape<T>::row(reader, key, of_key);
              found[at].emplace_back(std::move(key), std::move(of_key));
            }
            leave_out<T>(found, enough);
            then(std::move(found));
          });
  }
}

}  // namespace chirp::postgres
