// A write transaction: the state is read at its start, changed during it, and written at its end.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/ports/rows.h"
#include "store/lmdb/record.h"
#include "store/lmdb/txn.h"

namespace chirp::lmdb {

// The part of the state record about the table pairs.
struct PairMarks {
  bool second = false;  // the second table of each pair is in use
  bool built = false;   // a bulk load builds in the spare tables: changes of rows are noted
  bool stale = false;   // the spare tables hold unneeded rows, which are being deleted
};

// The state record: every read starts from it, and it saves look-ups in empty tables.
struct StoredState : StoreState {
  std::uint64_t pulled = 0;  // rows of the table of push-from marks
  // The number of follow edges, maintained so that no read counts them. If an older program that
  // does not maintain it has written: the change of that number (modulo 2^64) since just before the
  // transaction `follows_since`, the first after that program's. Otherwise `follows_since` is 0.
  std::uint64_t follows = 0;
  std::uint64_t follows_since = 0;
  PairMarks pairs;
};

[[nodiscard]] StoredState read_state(const Txn& txn);
// For a transaction that needs the marks to choose its handles. Checks nothing, because users of
// the state read all of it.
[[nodiscard]] PairMarks read_pair_marks(const Txn& txn);
// Writes the state of an empty store.
void write_first_state(WriteTxn& txn);
// Converts a state of format 1 to the current format: no relations, no removed posts, and new
// consumers begin at the first event of the log.
void extend_first_state(WriteTxn& txn);

class Batch {
 public:
  Batch(WriteTxn& transaction, const Turn& its_turn)
      : txn(transaction), state(read_state(transaction)), turn(its_turn) {}

  // Returns the lower bound of the next live id: above every stored one.
  [[nodiscard]] PostId next_id() const { return {state.last_id.value + 1}; }
  // Writes the state. Call it last.
  void finish();
  // Returns a cursor that stays open. For tables read or written mostly in key order, a search from
  // its position is faster than one from the root.
  [[nodiscard]] Cursor& walk(Table table);
  // Closes the cursor, which has no valid position after a row was erased.
  void leave(Table table) { walks_[static_cast<std::size_t>(table)].reset(); }

  WriteTxn& txn;
  StoredState state;
  const Turn turn;
  RecordWriter record;  // buffer for the record being written

 private:
  std::array<std::optional<Cursor>, kTables> walks_;
};

// Returns a key of the meta table: the name, padded with zeros.
[[nodiscard]] Key<32> meta_key(std::string_view name);

}  // namespace chirp::lmdb
