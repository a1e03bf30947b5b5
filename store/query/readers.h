// Building blocks for the scans of tables.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/ports/reads.h"
#include "store/query/table.h"

namespace chirp::query {

inline constexpr UserNumber kLastUser{std::numeric_limits<std::uint32_t>::max()};
inline constexpr CommentId kLastComment{std::numeric_limits<std::uint64_t>::max()};

[[nodiscard]] inline std::int64_t integer_of(const Value& value) {
  return std::get<std::int64_t>(value);
}
[[nodiscard]] inline std::uint64_t id_of(const Value& value) {
  const std::int64_t id = integer_of(value);
  return id < 0 ? 0 : static_cast<std::uint64_t>(id);
}

// Walks the keys of a table from `first` to `last`, both included, in either direction.
template <class T>
class KeyWalk {
 public:
  using Key = typename T::Key;
  KeyWalk(Key first, Key last, Direction direction = Direction::kUp)
      : first_(first), last_(last), direction_(direction) {}

  // The next rows, at most `most`; empty at the end.
  [[nodiscard]] RowPairs<T> next(const TableReader<T>& table, std::uint32_t most) {
    if (done_ || first_ > last_) return {};
    // Read one extra row, with which the next block begins.
    auto rows = table.range(first_, last_, direction_, most + 1);
    done_ = rows.size() <= most;
    if (!done_) {
      (direction_ == Direction::kUp ? first_ : last_) = rows.back().first;
      rows.pop_back();
    }
    return rows;
  }

 private:
  Key first_;
  Key last_;
  Direction direction_;
  bool done_ = false;
};

// A scan of rows that `get` adds in a single block.
template <class Row, class Get, class Write>
[[nodiscard]] std::unique_ptr<Scan> once(Get get, Write write) {
  return scan<Row>(
      [get = std::move(get), done = false](std::vector<Row>& rows, std::uint32_t) mutable {
        if (done) return false;
        done = true;
        get(rows);
        return true;
      },
      std::move(write));
}

// A scan of the rows that `take` makes from each key and row of a table.
template <class Row, class T, class Take, class Write>
[[nodiscard]] std::unique_ptr<Scan> walked(Sources& from, KeyWalk<T> walk, Take take, Write write) {
  return scan<Row>(
      [&from, walk, take = std::move(take)](std::vector<Row>& rows, std::uint32_t most) mutable {
        const auto found = walk.next(from.snapshot(), most);
        for (const auto& [key, row] : found) take(rows, key, row);
        return !found.empty();
      },
      std::move(write));
}

// A scan through an index: `key_of` maps an index key to a key of `T`, and `take` makes rows of the
// rows found.
template <class Row, class T, class Index, class KeyOf, class Take, class Write>
[[nodiscard]] std::unique_ptr<Scan> looked_up(Sources& from, KeyWalk<Index> walk, KeyOf key_of,
                                              Take take, Write write) {
  return scan<Row>(
      [&from, walk, key_of, take](std::vector<Row>& rows, std::uint32_t most) mutable {
        std::vector<typename T::Key> keys;
        for (const auto& [key, row] : walk.next(from.snapshot(), most)) keys.push_back(key_of(key));
        const TableReader<T> table = from.snapshot();
        const auto found = table.find_all(keys);
        for (std::size_t i = 0; i < keys.size(); ++i) {
          if (found[i]) take(rows, keys[i], *found[i]);
        }
        return !keys.empty();
      },
      std::move(write));
}

}  // namespace chirp::query
