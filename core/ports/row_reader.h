// Rows of a state of the engine's store, to read: what a snapshot and a write transaction have in
// common.
//
// Each call is one step that a remote store answers in one round trip: who has many keys of a table
// asks for all of them at once. An example, who of two has a card:
//
//   const std::vector<Cards::Key> keys{{alice}, {bob}};
//   for (const auto& card : reader.find_all(keys)) …
//
// Reading throws Error{kCorrupt} for a row that can't be read. One thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/ports/store_state.h"
#include "core/ports/tables.h"

namespace chirp {

// Rows with their keys.
template <class T>
using RowPairs = std::vector<std::pair<typename T::Key, typename T::Row>>;

// From where to where, both included. Of edges: one user's.
template <class T>
struct KeyRange {
  typename T::Key first;
  typename T::Key last;
};

// The reading half of a table.
template <class T>
class TableReader {
 public:
  using Key = typename T::Key;
  using Row = typename T::Row;

  virtual ~TableReader() = default;
  [[nodiscard]] virtual std::optional<Row> find(const Key& key) const = 0;
  // One for each key.
  [[nodiscard]] virtual std::vector<std::optional<Row>> find_all(
      std::span<const Key> keys) const = 0;
  // The rows of each range, at most `limit` of each: ascending (kUp), or descending from its last
  // key (kDown). Ranges behind the one with which `enough` rows are found are left out, so the
  // answer may be shorter than the question.
  [[nodiscard]] virtual std::vector<RowPairs<T>> ranges(std::span<const KeyRange<T>> wanted,
                                                        Direction direction, std::uint32_t limit,
                                                        std::uint64_t enough) const = 0;
  // Of one range.
  [[nodiscard]] RowPairs<T> range(const Key& first, const Key& last, Direction direction,
                                  std::uint32_t limit) const {
    const KeyRange<T> wanted{first, last};
    return std::move(ranges({&wanted, 1}, direction, limit, 1).front());
  }
};

template <class... T>
struct TableList {};

using AllTables =
    TableList<tables::Cards, tables::UserIds, tables::UserSources, tables::UserWords, tables::Posts,
              tables::AuthorLogs, tables::PostSources, tables::PostWords, tables::MediaUses,
              tables::RepostsOf, tables::Following, tables::Followers, tables::Relations,
              tables::Related, tables::Reactions, tables::ReactionsBy, tables::Comments,
              tables::Threads, tables::CommentsBy, tables::UserCounts, tables::ContentCounts,
              tables::Marks, tables::Notifications, tables::Readers, tables::TagUses,
              tables::FanOutQueue, tables::Removals, tables::PostRemovals, tables::PlainSettings,
              tables::Events>;

template <class Tables>
class ReaderOf;
template <class... T>
class ReaderOf<TableList<T...>> : public TableReader<T>... {
 public:
  using TableReader<T>::find...;
  using TableReader<T>::find_all...;
  using TableReader<T>::range...;
  using TableReader<T>::ranges...;
};
using RowReader = ReaderOf<AllTables>;

// A reader whose tables are all kept the same way: `Self` has three templates over the table,
// find_row<T>(key), find_rows<T>(keys) and range_rows<T>(first, last, …), and this makes the
// functions of the port out of them. Who has no better way has `find_rows` from here, and
// rows_of_ranges<T>(wanted, …).
template <class Self, class Base, class Tables>
class ReadsBy;
template <class Self, class Base>
class ReadsBy<Self, Base, TableList<>> : public Base {
 public:
  using Base::Base;

  template <class T>
  [[nodiscard]] std::vector<std::optional<typename T::Row>> find_rows(
      std::span<const typename T::Key> keys) const {
    std::vector<std::optional<typename T::Row>> rows;
    rows.reserve(keys.size());
    for (const auto& key : keys) {
      rows.push_back(static_cast<const Self*>(this)->template find_row<T>(key));
    }
    return rows;
  }
  template <class T>
  [[nodiscard]] std::vector<RowPairs<T>> rows_of_ranges(std::span<const KeyRange<T>> wanted,
                                                        Direction direction, std::uint32_t limit,
                                                        std::uint64_t enough) const {
    std::vector<RowPairs<T>> found;
    std::uint64_t rows = 0;
    for (const auto& [first, last] : wanted) {
      found.push_back(
          static_cast<const Self*>(this)->template range_rows<T>(first, last, direction, limit));
      rows += found.back().size();
      if (rows >= enough) break;
    }
    return found;
  }
};
template <class Self, class Base, class T, class... Rest>
class ReadsBy<Self, Base, TableList<T, Rest...>> : public ReadsBy<Self, Base, TableList<Rest...>> {
  using Next = ReadsBy<Self, Base, TableList<Rest...>>;
  using Key = typename T::Key;
  using Row = typename T::Row;

 public:
  using Next::find;
  using Next::find_all;
  using Next::Next;
  using Next::ranges;

  std::optional<Row> find(const Key& key) const final {
    return static_cast<const Self*>(this)->template find_row<T>(key);
  }
  std::vector<std::optional<Row>> find_all(std::span<const Key> keys) const final {
    return static_cast<const Self*>(this)->template find_rows<T>(keys);
  }
  std::vector<RowPairs<T>> ranges(std::span<const KeyRange<T>> wanted, Direction direction,
                                  std::uint32_t limit, std::uint64_t enough) const final {
    return static_cast<const Self*>(this)->template rows_of_ranges<T>(wanted, direction, limit,
                                                                      enough);
  }
};
template <class Self, class Base>
using EachTableRead = ReadsBy<Self, Base, AllTables>;

}  // namespace chirp
