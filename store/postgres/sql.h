// The statements of a table, made of its description.
#pragma once

#include <string>
#include <vector>

#include "store/postgres/shapes.h"

namespace chirp::postgres {

struct TableText {
  std::string name;
  std::vector<Column> keys;
  std::vector<Column> columns;
  Seen seen = Seen::kVersioned;
};

// $1 is the snapshot's number; of the log $1 and $2 are its ends. Behind it come arrays.
struct TableSql {
  std::string create;
  std::string find;    // keys: which of them it is, from 1, and its columns
  std::string up;      // first keys, last keys, limits, then how many in all: which range it is,
  std::string down;    // keys and columns
  std::string count;   // rows
  std::string end;     // $1: the number of the commit; keys
  std::string insert;  // the same; keys and columns
  std::string sweep;   // $1: rows that died up to it go
};
[[nodiscard]] TableSql make_sql(const TableText& table);

// Calls `take` with the fields of a key.
struct AnyField {
  template <class Field>
  operator Field() const;
};
template <class TableKey, class Take>
void with_fields(TableKey& fields, Take take) {
  using Plain = std::remove_const_t<TableKey>;
  if constexpr (requires { Plain{AnyField(), AnyField(), AnyField()}; }) {
    auto& [first, second, third] = fields;
    take(first, second, third);
  } else if constexpr (requires { Plain{AnyField(), AnyField()}; }) {
    auto& [first, second] = fields;
    take(first, second);
  } else {
    auto& [first] = fields;
    take(first);
  }
}

template <class T>
[[nodiscard]] TableText text_of() {
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
[[nodiscard]] const TableText& table_of() {
  static const TableText kTable = text_of<T>();
  return kTable;
}
template <class T>
[[nodiscard]] const TableSql& sql_of() {
  static const TableSql kSql = make_sql(table_of<T>());
  return kSql;
}

// An array for each field of the keys.
template <class T>
class KeyArrays {
 public:
  KeyArrays() {
    for (const Column& column : table_of<T>().keys) arrays_.emplace_back(column.type);
  }
  void add(const typename T::Key& key) {
    with_fields(key, [&](const auto&... fields) {
      std::size_t at = 0;
      (add_key(arrays_[at++], fields), ...);
    });
  }
  void add_to(Params& params) const {
    for (const Array& array : arrays_) params.add(array);
  }

 private:
  std::vector<Array> arrays_;
};

}  // namespace chirp::postgres
