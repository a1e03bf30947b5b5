// The rows that records need in indexes, and the other way round: the doctor reports differences,
// and repair fixes them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "store/lmdb/batch.h"

namespace chirp::lmdb {

// A row to put, or to delete if it has no value.
struct Fix {
  Table table;
  std::string key;
  std::optional<std::string> value;
};

// Collects the rows that examined rows need.
class WantedRows {
 public:
  // Needs this row with this value.
  void row(const Txn& txn, Table table, Bytes key, Bytes value);
  // Needs this row; puts this value only if it is missing.
  void some(const Txn& txn, Table table, Bytes key, Bytes value);
  // Needs this row. Returns true if it is missing; the caller then puts it.
  [[nodiscard]] bool lacks(const Txn& txn, Table table, Bytes key);
  void put(Table table, Bytes key, Bytes value);
  // Needs this row to be absent.
  void none(Table table, Bytes key);

  [[nodiscard]] const std::vector<Fix>& fixes() const { return fixes_; }
  // Returns the number of needed rows of a table, present or not.
  [[nodiscard]] std::uint64_t rows(Table table) const {
    return rows_[static_cast<std::size_t>(table)];
  }

 private:
  std::vector<Fix> fixes_;
  std::array<std::uint64_t, kTables> rows_{};
};

struct IndexCheck {
  Table table;  // the table to examine
  std::function<void(const Txn&, const Item&, WantedRows&)> look;
  // For an index: a row without its record is deleted.
  bool is_index = false;
};
// Returns the checks, records before their indexes.
[[nodiscard]] const std::vector<IndexCheck>& index_checks();

// A count of rows in the state, and its table.
struct SaidRows {
  std::uint64_t* said;
  Table table;
};
[[nodiscard]] std::array<SaidRows, 5> said_rows(StoredState& state);

}  // namespace chirp::lmdb
