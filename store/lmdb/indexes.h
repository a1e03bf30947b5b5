// What the records of a table say of the rows of its indexes, and the other way round: doctor names
// what is not so, and repair puts it right.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "store/lmdb/batch.h"

namespace chirp::lmdb {

// A row as it has to be, or one that has to go.
struct Fix {
  Table table;
  std::string key;
  std::optional<std::string> value;
};

// What rows that were looked at want of others.
class Wanted {
 public:
  // This row, with this value.
  void row(const Txn& txn, Table table, Bytes key, Bytes value);
  // This row; with this value, if it is not there.
  void some(const Txn& txn, Table table, Bytes key, Bytes value);
  // True if a row is wanted that is not there, which whoever asks puts.
  [[nodiscard]] bool lacks(const Txn& txn, Table table, Bytes key);
  void put(Table table, Bytes key, Bytes value);
  // This row is not to be there.
  void none(Table table, Bytes key);

  [[nodiscard]] const std::vector<Fix>& fixes() const { return fixes_; }
  // How many rows of a table were wanted, there or not.
  [[nodiscard]] std::uint64_t rows(Table table) const {
    return rows_[static_cast<std::size_t>(table)];
  }

 private:
  std::vector<Fix> fixes_;
  std::array<std::uint64_t, kTables> rows_{};
};

struct IndexCheck {
  Table table;  // whose rows are looked at
  std::function<void(const Txn&, const Item&, Wanted&)> look;
  // Of an index: its rows stand for records, or go.
  bool is_index = false;
};
// Records before their indexes.
[[nodiscard]] const std::vector<IndexCheck>& index_checks();

// What the state says of tables, and how many rows they have.
struct SaidRows {
  std::uint64_t* said;
  Table table;
};
[[nodiscard]] std::array<SaidRows, 5> said_rows(StoredState& state);

}  // namespace chirp::lmdb
