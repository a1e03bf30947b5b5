// The statements of a table, made of its description.
//
// Where buckets move by themselves (Citus), rows say theirs in a column `b`, and a statement asks
// for one of them. What it says of that stands in comments, which other layouts leave as they are:
//
//   select x.i, t.text from … join posts t on t.id = x.k0 /*and t.b = bucket*/ where …
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "store/postgres/placing.h"
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

// As it is where buckets are told apart: without the marks of its comments, and with the parameter
// behind its `params` ones in the place of `bucket`.
struct InBucket {
  std::string sql;
  bool names_bucket = false;
};
[[nodiscard]] InBucket in_bucket(std::string_view sql, std::size_t params);

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
