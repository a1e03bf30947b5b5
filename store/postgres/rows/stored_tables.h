// The tables of core/ports/tables.h in a uniform form: their statements, and the few steps that
// depend on the type of a key or row. Only stored_tables.cpp reads their descriptions in
// store/postgres/rows/shapes.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ports/rows.h"
#include "core/ports/table_types.h"
#include "store/postgres/rows/placing.h"
#include "store/postgres/rows/sql.h"

namespace chirp::postgres {

// Pointers to keys and rows are as in TableType.
struct StoredTable {
  const TableType* type;
  // Set for follow edges, stored in chunks (store/postgres/rows/edges.h); then nothing below is
  // set.
  std::optional<EdgeSide> side;
  bool is_at_home = false;  // few rows, or rows with a global order
  TableText text;
  TableSql sql;

  // Adds each field of a key to its array.
  void (*add_key)(std::vector<Array>& arrays, const void* key) = nullptr;
  void (*write_row)(ColumnWriter& columns, const void* key, const void* row) = nullptr;
  // read_row takes the key; read_pair reads the key too.
  AnyRow (*read_row)(ColumnReader& columns, const void* key) = nullptr;
  AnyRow (*read_pair)(ColumnReader& columns) = nullptr;
  // By the first field of a key. A range is in one group if its ends share that field.
  Group (*group)(const Placing& placing, const void* key) = nullptr;
  bool (*has_same_first)(const void* key, const void* other) = nullptr;

  [[nodiscard]] bool is_versioned() const { return text.seen == Seen::kVersioned; }
  [[nodiscard]] Group group_of(const Placing& placing, const void* key) const {
    return is_at_home ? kHome : group(placing, key);
  }
  // Whether all rows of the range are in the group of the first.
  [[nodiscard]] bool is_of_one_group(const Placing& placing, const AnyRange& range) const {
    return placing.is_one() || is_at_home || has_same_first(range.first.key, range.last.key);
  }
  // A group that stores this table.
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

// One array for each key field of a table.
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
