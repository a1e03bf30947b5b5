#include "store/postgres/rows/stored_tables.h"

#include <type_traits>

#include "store/postgres/rows/shapes.h"

namespace chirp::postgres {
namespace {

template <class T, class... Some>
constexpr bool kIsOneOf = (std::is_same_v<T, Some> || ...);
template <class T>
constexpr bool kIsAtHome = kIsOneOf<T, tables::Events, tables::FanOutQueue, tables::Removals,
                                    tables::PostRemovals, tables::PlainSettings, tables::Marks,
                                    tables::UserIds, tables::UserSources, tables::UserWords>;

template <class T>
struct PostgresSteps {
  using Key = typename T::Key;
  using Row = typename T::Row;

  static const Key& key_at(const void* key) { return *static_cast<const Key*>(key); }

  static void add_key(std::vector<Array>& arrays, const void* key) {
    with_fields(key_at(key), [&](const auto&... fields) {
      std::size_t at = 0;
      (postgres::add_key(arrays[at++], fields), ...);
    });
  }
  static void write_row(ColumnWriter& columns, const void* key, const void* row) {
    columns.next_row();
    Shape<T>::row(columns, key_at(key), *static_cast<const Row*>(row));
  }
  static AnyRow read_row(ColumnReader& columns, const void* key) {
    Row row{};
    Shape<T>::row(columns, key_at(key), row);
    return any_row<T>(key_at(key), &row);
  }
  static AnyRow read_pair(ColumnReader& columns) {
    Key key{};
    with_fields(key, [&](auto&... fields) { (columns.read_key(fields), ...); });
    return read_row(columns, &key);
  }
  static Group group(const Placing& placing, const void* key) {
    return with_fields(key_at(key), [&](const auto& first, const auto&... /*rest*/) {
      return placing.group_of(first);
    });
  }
  static bool has_same_first(const void* key, const void* other) {
    return with_fields(key_at(key), [&](const auto& first, const auto&... /*rest*/) {
      return with_fields(key_at(other), [&](const auto& other_first, const auto&... /*others*/) {
        return first == other_first;
      });
    });
  }
};

template <class T>
TableText text_of() {
  TableText table{std::string(Shape<T>::kName), {}, {}, Shape<T>::kSeen};
  const typename T::Key key{};
  with_fields(key, [&](const auto&... fields) {
    std::size_t at = 0;
    (table.keys.push_back({std::string(Shape<T>::kKeys[at++]),
                           key_type_of<std::remove_cvref_t<decltype(fields)>>()}),
     ...);
  });
  ColumnNames names;
  const typename T::Row row{};
  Shape<T>::row(names, key, row);
  table.columns = std::move(names.columns);
  return table;
}

template <class T>
StoredTable make_table() {
  StoredTable table{.type = &table_type<T>(), .side = {}, .text = {}, .sql = {}};
  if constexpr (std::is_same_v<T, tables::Following>) {
    table.side = EdgeSide::kFollowing;
  } else if constexpr (std::is_same_v<T, tables::Followers>) {
    table.side = EdgeSide::kFollowers;
  } else {
    table.is_at_home = kIsAtHome<T>;
    table.text = text_of<T>();
    table.sql = make_sql(table.text);
    table.add_key = &PostgresSteps<T>::add_key;
    table.write_row = &PostgresSteps<T>::write_row;
    table.read_row = &PostgresSteps<T>::read_row;
    table.read_pair = &PostgresSteps<T>::read_pair;
    table.group = &PostgresSteps<T>::group;
    table.has_same_first = &PostgresSteps<T>::has_same_first;
  }
  return table;
}
template <class... T>
std::vector<StoredTable> make_tables(TableList<T...> /*tables*/) {
  std::vector<StoredTable> tables;
  tables.reserve(sizeof...(T));
  (tables.push_back(make_table<T>()), ...);
  return tables;
}

}  // namespace

std::span<const StoredTable> stored_tables() {
  static const std::vector<StoredTable> kTables = make_tables(AllTables{});
  return kTables;
}

}  // namespace chirp::postgres
