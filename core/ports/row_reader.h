// Reads rows of one state of the engine's store: the interface that snapshots and write
// transactions share.
//
// A remote store answers each call in one round trip, so a caller with many keys of a table asks
// for all of them at once. Example, which of two users have a card:
//
//   const std::vector<Cards::Key> keys{{alice}, {bob}};
//   for (const auto& card : reader.find_all(keys)) …
//
// Reading throws Error{kCorrupt} for a damaged row. One thread at a time.
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "core/ports/store_state.h"
#include "core/ports/table_types.h"

namespace chirp {

// The ends of a range without their types, both inclusive.
struct AnyEnds {
  const void* first = nullptr;
  const void* last = nullptr;
};

template <class T>
class TableReader;

class RowReader {
 public:
  virtual ~RowReader() = default;

  // The calls of TableReader, for the table of this key type.
  template <class Key>
  [[nodiscard]] auto find(const Key& key) const;
  template <std::ranges::contiguous_range Keys>
  [[nodiscard]] auto find_all(const Keys& keys) const;
  template <class Key>
  [[nodiscard]] auto range(const Key& first, const Key& last, Direction direction,
                           std::uint32_t limit) const;

  // ---- What a store implements, once for all tables (see TableReader). Each pointer is to a value
  // of the table's type.
  // `found` has an empty std::optional<T::Row> for each key.
  virtual void find_rows(const TableType& type, std::span<const void* const> keys,
                         std::span<void* const> found) const = 0;
  // `found` has an empty RowPairs<T> for each range. Returns how many ranges are answered.
  virtual std::size_t find_ranges(const TableType& type, std::span<const AnyEnds> wanted,
                                  Direction direction, std::uint32_t limit, std::uint64_t enough,
                                  std::span<void* const> found) const = 0;
};

// Reads the rows of one table. Cheap to construct; the reader must outlive it.
template <class T>
class TableReader {
 public:
  using Key = typename T::Key;
  using Row = typename T::Row;

  TableReader(const RowReader& rows) : rows_(rows) {}

  [[nodiscard]] std::optional<Row> find(const Key& key) const {
    std::optional<Row> row;
    const void* const keys[] = {&key};
    void* const found[] = {&row};
    rows_.find_rows(table_type<T>(), keys, found);
    return row;
  }
  // One for each key.
  [[nodiscard]] std::vector<std::optional<Row>> find_all(std::span<const Key> keys) const {
    std::vector<std::optional<Row>> rows(keys.size());
    std::vector<const void*> asked;
    std::vector<void*> found;
    asked.reserve(keys.size());
    found.reserve(keys.size());
    for (const Key& key : keys) asked.push_back(&key);
    for (auto& row : rows) found.push_back(&row);
    rows_.find_rows(table_type<T>(), asked, found);
    return rows;
  }
  // The rows of each range, at most `limit` of each: ascending (kUp), or descending from its last
  // key (kDown). Stops after the range that brings the total to `enough` rows, so the result may
  // have fewer ranges than `wanted`.
  [[nodiscard]] std::vector<RowPairs<T>> ranges(std::span<const KeyRange<T>> wanted,
                                                Direction direction, std::uint32_t limit,
                                                std::uint64_t enough) const {
    std::vector<RowPairs<T>> rows(wanted.size());
    std::vector<AnyEnds> ends;
    std::vector<void*> found;
    for (const auto& [first, last] : wanted) ends.push_back({&first, &last});
    for (auto& of_range : rows) found.push_back(&of_range);
    const std::size_t answered =
        rows_.find_ranges(table_type<T>(), ends, direction, limit, enough, found);
    while (rows.size() > answered) rows.pop_back();
    return rows;
  }
  // The rows of one range.
  [[nodiscard]] RowPairs<T> range(const Key& first, const Key& last, Direction direction,
                                  std::uint32_t limit) const {
    RowPairs<T> rows;
    const AnyEnds ends[] = {{&first, &last}};
    void* const found[] = {&rows};
    rows_.find_ranges(table_type<T>(), ends, direction, limit, 1, found);
    return rows;
  }

 private:
  const RowReader& rows_;
};

template <class Key>
auto RowReader::find(const Key& key) const {
  return TableReader<TableOf<Key>>(*this).find(key);
}
template <std::ranges::contiguous_range Keys>
auto RowReader::find_all(const Keys& keys) const {
  return TableReader<TableOf<std::ranges::range_value_t<Keys>>>(*this).find_all(keys);
}
template <class Key>
auto RowReader::range(const Key& first, const Key& last, Direction direction,
                      std::uint32_t limit) const {
  return TableReader<TableOf<Key>>(*this).range(first, last, direction, limit);
}

}  // namespace chirp
