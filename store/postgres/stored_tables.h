// The tables of core/ports/tables.h as this store serves them, all alike: their statements, and the
// few steps that need the type of a key or a row. Their descriptions are in
// store/postgres/shapes.h; only stored_tables.cpp reads those.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ports/rows.h"
#include "core/ports/table_types.h"
#include "store/postgres/placing.h"
#include "store/postgres/sql.h"

namespace chirp::postgres {

// Pointers to keys and rows are as in TableType.
struct StoredTable {
  const TableType* type;
  // Set for follow edges, which lie in chunks (store/postgres/edges.h): nothing below is.
  std::optional<EdgeSide> side;
  bool is_at_home = false;  // its rows are few, or their order is that of the whole
  TableText text;
  TableSql sql;

  // Adds the fields of a key to an array each.
  void (*add_key)(std::vector<Array>& arrays, const void* key) = nullptr;
  void (*write_row)(ColumnWriter& columns, const void* key, const void* row) = nullptr;
  // The row of a key that is known, or the next key and its row.
  AnyRow (*read_row)(ColumnReader& columns, const void* key) = nullptr;
  AnyRow (*read_pair)(ColumnReader& columns) = nullptr;
  // By the first field of a key. Rows from one key to another lie together if that is the same.
  Group (*group)(const Placing& placing, const void* key) = nullptr;
  bool (*has_same_first)(const void* key, const void* other) = nullptr;

  [[nodiscard]] bool is_versioned() const { return text.seen == Seen::kVersioned; }
  [[nodiscard]] Group group_of(const Placing& placing, const void* key) const {
    return is_at_home ? kHome : group(placing, key);
  }
  // Whether all rows from one key to another lie where the first one does.
  [[nodiscard]] bool is_of_one_group(const Placing& placing, const AnyRange& range) const {
    return placing.is_one() || is_at_home || has_same_first(range.first.key, range.last.key);
  }
  // A group that has the table.
  [[nodiscard]] Group any_group(const Placing& placing) const {
    return is_at_home ? kHome : placing.any();
  }
};

// In the order of AllTables.
[[nodiscard]] std::span<const StoredTable> stored_tables();
[[nodiscard]] inline const StoredTable& stored_table(const TableType& type) {
  return stored_tables()[type.index];
}
template <class T>
[[nodiscard]] const StoredTable& stored() {
  return stored_tables()[kIndexOf<T>];
}

// An array for each field of a table's keys.
class KeyArrays {
 public:
  explicit KeyArrays(const StoredTable& table) : table_(&table) {
    for (const Column& column : table.text.keys) arrays_.emplace_back(column.type);
  }
  void add(const void* key) { table_->add_key(arrays_, key); }
  void add_to(Params& params) const {
    for (const Array& array : arrays_) params.add(array);
  }

 private:
  const StoredTable* table_;
  std::vector<Array> arrays_;
};

}  // namespace chirp::postgres
