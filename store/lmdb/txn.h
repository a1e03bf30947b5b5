// Transactions and cursors over the tables of an environment (store/lmdb/env.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <lmdb.h>

#include "store/lmdb/schema.h"

namespace chirp::lmdb {

// Thrown for a full map: Env::write grows it and retries.
struct MapFull {};

// Throws our error for an LMDB status, or nothing for success; `doing` describes the operation.
void check_status(int status, std::string_view doing);

using Handles = std::array<MDB_dbi, kTables>;

// A transaction's view of the tables. Returned bytes point into the map: valid until the next write
// of this transaction, or its end.
class Txn {
 public:
  Txn(const Handles& handles, MDB_txn* txn) : handles_(&handles), txn_(txn) {}
  Txn(const Txn&) = delete;
  Txn& operator=(const Txn&) = delete;

  [[nodiscard]] std::optional<Bytes> get(Table table, Bytes key) const;
  [[nodiscard]] MDB_stat stat(Table table) const;
  [[nodiscard]] std::uint64_t id() const { return mdb_txn_id(txn_); }
  [[nodiscard]] MDB_txn* raw() const { return txn_; }
  [[nodiscard]] MDB_dbi handle(Table table) const {
    return (*handles_)[static_cast<unsigned>(table)];
  }
  // Call for a write to a row of `table`: during a build, notes the affected rows in kRebuilt.
  void note_change(Table table, Bytes key) const {
    if (noting_) note(table, key);
  }

 protected:
  void note(Table table, Bytes key) const;

  const Handles* handles_;
  MDB_txn* txn_;
  bool noting_ = false;
};

// Whether a write transaction notes changes of rows that a bulk load is rebuilding.
enum class Noting : std::uint8_t { kOff, kOn };

class WriteTxn : public Txn {
 public:
  WriteTxn(const Handles& handles, MDB_txn* txn, Noting noting) : Txn(handles, txn) {
    noting_ = noting == Noting::kOn;
  }
  void put(Table table, Bytes key, Bytes value);
  // For a key above all existing ones: fills pages completely.
  void append(Table table, Bytes key, Bytes value);
  // Returns true if the key existed.
  bool erase(Table table, Bytes key);
  // Erases a row that a cursor has returned. Throws Error{kCorrupt} if its key can't be found:
  // otherwise a loop that erases all rows would never end.
  void erase_shown(Table table, Bytes key);
  // Empties a table at once. Notes nothing.
  void erase_all(Table table);
};

struct Item {
  Bytes key;
  Bytes value;
};

// Walks a table. After a write in the transaction, seek again before moving on. Throws
// Error{kCorrupt} if keys decrease, as in a damaged file: otherwise a walk could repeat rows or
// never end.
class Cursor {
 public:
  Cursor(const Txn& txn, Table table);
  ~Cursor() { mdb_cursor_close(cursor_); }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  std::optional<Item> at(Bytes key) { return move(key, MDB_SET_KEY); }
  std::optional<Item> at_or_after(Bytes key) { return move(key, MDB_SET_RANGE); }
  std::optional<Item> at_or_before(Bytes key);
  // Returns the last item below `key`.
  std::optional<Item> before(Bytes key) { return below(key, at_or_after(key)); }
  std::optional<Item> next() { return move({}, MDB_NEXT); }
  std::optional<Item> previous() { return move({}, MDB_PREV); }
  std::optional<Item> first() { return move({}, MDB_FIRST); }
  std::optional<Item> last() { return move({}, MDB_LAST); }
  // Writes from the cursor's position, which is fast for keys in order.
  void put(Bytes key, Bytes value);

 private:
  std::optional<Item> move(Bytes key, MDB_cursor_op op);
  // Returns the last item below `key`, from the position after a search for `key`.
  std::optional<Item> below(Bytes key, const std::optional<Item>& at_or_after);

  const Txn& txn_;
  MDB_cursor* cursor_ = nullptr;
  Table table_;
  std::string last_;  // the key at the cursor
};

}  // namespace chirp::lmdb
