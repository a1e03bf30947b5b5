// One write transaction at work: the state is read at its start, changed along the way, and written
// at its end.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/ports/rows.h"
#include "store/lmdb/record.h"
#include "store/lmdb/txn.h"

namespace chirp::lmdb {

// What the state record says of the tables that exist twice.
struct PairMarks {
  bool second = false;  // the second table of each pair is in use
  bool built = false;   // a bulk load builds in the spare ones: changes of rows are noted
  bool stale = false;   // the spare ones hold rows that nobody needs, and are being emptied
};

// The state record: what every read starts from, and what spares it a look into empty tables.
struct StoredState : StoreState {
  std::uint64_t pulled = 0;  // rows of the table of push-from marks
  // Follow edges there are, kept so that nobody has to walk them all. Where a program has written
  // that does not keep this, it is how many there are more (modulo 2^64) than before the
  // transaction of the number `follows_since`, the first one after it; 0 if none has.
  std::uint64_t follows = 0;
  std::uint64_t follows_since = 0;
  PairMarks pairs;
};

[[nodiscard]] StoredState read_state(const Txn& txn);
// Of a transaction whose handles are yet to be chosen by them. Checks nothing: whoever uses the
// state reads it whole.
[[nodiscard]] PairMarks read_pair_marks(const Txn& txn);
// The state of an empty store.
void write_first_state(WriteTxn& txn);
// Makes the state that format 1 kept one of today's: no relations, no removed posts, and consumers
// that were not there begin at the end of the log.
void extend_first_state(WriteTxn& txn);

class Batch {
 public:
  Batch(WriteTxn& transaction, const Turn& its_turn)
      : txn(transaction), state(read_state(transaction)), turn(its_turn) {}

  // What the next live id will at least be: above every stored one.
  [[nodiscard]] PostId next_id() const { return {state.last_id.value + 1}; }
  // Writes the state; call last.
  void finish();
  // A cursor that stays open: of a table whose rows are mostly asked for, or put, in the order of
  // their keys, each finds its way from the one before sooner than from the root.
  [[nodiscard]] Cursor& walk(Table table);
  // Closes it: after a row was erased it would stand nowhere.
  void leave(Table table) { walks_[static_cast<std::size_t>(table)].reset(); }

  WriteTxn& txn;
  StoredState state;
  const Turn turn;
  RecordWriter record;  // room for the record being written

 private:
  std::array<std::optional<Cursor>, kTables> walks_;
};

// A key of the meta table: the name, filled up with zeros.
[[nodiscard]] Key<32> meta_key(std::string_view name);

}  // namespace chirp::lmdb
