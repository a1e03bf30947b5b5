// Tables without their types, for code that serves all tables: a remote store's overlay, the
// statements of a database, a copy of rows in memory.
//
// Such code holds type-erased keys and rows (AnyRow), orders them by the bytes of their keys, and
// uses TableType for the few steps that need the type. So it is compiled once, and not once for
// each table of core/ports/tables.h.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/ports/tables.h"

namespace chirp {

template <class... T>
struct TableList {};

using AllTables =
    TableList<tables::Cards, tables::UserIds, tables::UserSources, tables::UserWords, tables::Posts,
              tables::AuthorLogs, tables::FollowersLogs, tables::PrivateLogs, tables::PostSources,
              tables::PostWords, tables::MediaUses, tables::RepostsOf, tables::Following,
              tables::Followers, tables::Relations, tables::Related, tables::Reactions,
              tables::ReactionsBy, tables::Comments, tables::Threads, tables::HiddenThreads,
              tables::CommentsBy, tables::UserCounts, tables::ContentCounts, tables::Marks,
              tables::Notifications, tables::Readers, tables::TagUses, tables::TagPosts,
              tables::FanOutQueue, tables::Removals, tables::PostRemovals, tables::PlainSettings,
              tables::Events>;

namespace detail {
template <class T, class... Each>
constexpr std::size_t index_in(TableList<Each...> /*tables*/) {
  std::size_t index = 0;
  (void)((std::is_same_v<T, Each> || (++index, false)) || ...);
  return index;
}
template <class... Each>
constexpr std::size_t size_of(TableList<Each...> /*tables*/) {
  return sizeof...(Each);
}
template <class Key, class First, class... Rest>
constexpr auto table_of_key(TableList<First, Rest...> /*tables*/) {
  if constexpr (std::is_same_v<Key, typename First::Key>) {
    return std::type_identity<First>{};
  } else {
    return table_of_key<Key>(TableList<Rest...>{});
  }
}
}  // namespace detail

inline constexpr std::size_t kTableTypes = detail::size_of(AllTables{});
template <class T>
inline constexpr std::size_t kIndexOf = detail::index_in<T>(AllTables{});
// The table with this key type.
template <class Key>
using TableOf = typename decltype(detail::table_of_key<Key>(AllTables{}))::type;

// Rows with their keys.
template <class T>
using RowPairs = std::vector<std::pair<typename T::Key, typename T::Row>>;

// A range of keys, both ends inclusive. A range of edges belongs to one user.
template <class T>
struct KeyRange {
  typename T::Key first;
  typename T::Key last;
};

struct TableType;

// A key with its row, if any. Copies share both; they are immutable.
struct AnyRow {
  const TableType* type = nullptr;
  std::shared_ptr<const void> held;
  const void* key = nullptr;  // T::Key
  const void* row = nullptr;  // T::Row; null if there is no row
};

// A range between two keys, both inclusive, with the number of rows wanted.
struct AnyRange {
  AnyRow first;
  AnyRow last;
  std::uint32_t limit = 0;
};

// Rows of all tables, sorted by the bytes of their keys: table by table, in the order of AllTables.
using AnyRows = std::map<std::string, AnyRow>;

// The operations that need the type of a table T. Each pointer is to the type named beside it.
struct TableType {
  std::size_t index;  // in AllTables
  // The key as bytes: they sort like the keys of a table, and the first byte differs between
  // tables.
  std::string (*bytes)(const void* key);
  // Copies both; `row` may be null.
  AnyRow (*keep)(const void* key, const void* row);
  // Copies the row, or nothing for null, into a std::optional<T::Row>.
  void (*assign)(void* found, const void* row);
  // Appends copies of both to a RowPairs<T>.
  void (*append)(void* pairs, const void* key, const void* row);
};

[[nodiscard]] const TableType& table_type(std::size_t index);  // `index` is below kTableTypes.
template <class T>
[[nodiscard]] const TableType& table_type() {
  return table_type(kIndexOf<T>);
}

template <class T>
[[nodiscard]] const typename T::Key& key_of(const AnyRow& any) {
  return *static_cast<const typename T::Key*>(any.key);
}
// Null if there is no row.
template <class T>
[[nodiscard]] const typename T::Row* row_of(const AnyRow& any) {
  return static_cast<const typename T::Row*>(any.row);
}
// Returns a copy of the row.
template <class T>
[[nodiscard]] std::optional<typename T::Row> found_in(const AnyRow& any) {
  const auto* const row = row_of<T>(any);
  return row == nullptr ? std::nullopt : std::optional<typename T::Row>(*row);
}

template <class T>
[[nodiscard]] AnyRow any_row(const typename T::Key& key, const typename T::Row* row = nullptr) {
  return table_type<T>().keep(&key, row);
}
template <class T>
[[nodiscard]] std::string bytes_of(const typename T::Key& key) {
  return table_type<T>().bytes(&key);
}
// The rows of one table in a map of all tables.
[[nodiscard]] std::pair<AnyRows::const_iterator, AnyRows::const_iterator> rows_of_table(
    const AnyRows& rows, const TableType& type);

// ---- fields of keys

namespace detail {
// Converts to the type of any field.
struct AnyField {
  template <class Field>
  operator Field() const;
};
}  // namespace detail

// Calls `take` with the fields of a key.
template <class TableKey, class Take>
auto with_fields(TableKey& fields, Take take) {
  using Plain = std::remove_const_t<TableKey>;
  using detail::AnyField;
  if constexpr (requires { Plain{AnyField(), AnyField(), AnyField()}; }) {
    auto& [first, second, third] = fields;
    return take(first, second, third);
  } else if constexpr (requires { Plain{AnyField(), AnyField()}; }) {
    auto& [first, second] = fields;
    return take(first, second);
  } else {
    auto& [first] = fields;
    return take(first);
  }
}

}  // namespace chirp
