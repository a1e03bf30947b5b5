// The tables of an environment: their handles, and which of each pair a transaction uses.
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "store/lmdb/batch.h"
#include "store/lmdb/env.h"
#include "store/lmdb/key_order.h"
#include "store/lmdb/watchdog.h"

namespace chirp::lmdb {
namespace {

constexpr std::string_view kOpeningTables = "Opening the engine's store";

int order_of(const MDB_val* a, const MDB_val* b) {
  return compare_keys({static_cast<const char*>(a->mv_data), a->mv_size},
                      {static_cast<const char*>(b->mv_data), b->mv_size});
}

}  // namespace

void Env::open_tables(OpenMode mode) const {
  const bool create = mode == OpenMode::kCreate;
  const auto slot = pass();
  MDB_txn* txn = nullptr;
  const unsigned begin = create ? 0u : unsigned{MDB_RDONLY};
  int status = mdb_txn_begin(env_, nullptr, begin, &txn);
  if (status == MDB_MAP_RESIZED) {
    mdb_env_set_mapsize(env_, 0);
    status = mdb_txn_begin(env_, nullptr, begin, &txn);
  }
  check_status(status, kOpeningTables);
  for (std::size_t i = 0; i < kTables; ++i) {
    const unsigned flags = create ? unsigned{MDB_CREATE} : 0u;
    const int opened =
        watched([&] { return mdb_dbi_open(txn, kTableNames[i], flags, &handles_[i]); });
    if (opened == MDB_NOTFOUND && mode == OpenMode::kOlder) continue;
    if (opened != MDB_SUCCESS) mdb_txn_abort(txn);
    if (opened == MDB_NOTFOUND) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("The engine's store has no table {}: {}. Restore a backup.",
                              kTableNames[i], mdb_strerror(opened)));
    }
    check_status(opened, kOpeningTables);
  }
  set_order(txn);
  pair_handles();
  check_status(mdb_txn_commit(txn), kOpeningTables);  // keeps the handles
}

void Env::make_tables(const WriteTxn& txn) {
  for (std::size_t i = 0; i < kTables; ++i) {
    check_status(
        watched([&] { return mdb_dbi_open(txn.raw(), kTableNames[i], MDB_CREATE, &handles_[i]); }),
        "Making a table");
  }
  set_order(txn.raw());
  pair_handles();
}

void Env::pair_handles() const {
  swapped_ = handles_;
  for (const TablePair& pair : kPairs) {
    std::swap(swapped_[static_cast<unsigned>(pair.in_use)],
              swapped_[static_cast<unsigned>(pair.spare)]);
  }
}

const Handles& Env::handles_for(const PairMarks& marks) const {
  return marks.second ? swapped_ : handles_;
}

const Handles& Env::handles_of_read(MDB_txn* txn) const {
  const std::uint64_t id = mdb_txn_id(txn);
  if (const std::uint64_t chosen = chosen_; chosen >> 1 == id) {
    return (chosen & 1) != 0 ? swapped_ : handles_;
  }
  const PairMarks marks = read_pair_marks(Txn(handles_, txn));
  chosen_ = id << 1 | (marks.second ? 1 : 0);
  return handles_for(marks);
}

// A read of many pulled authors searches hundreds of logs. The order equals LMDB's default, so
// other programs can read the tables.
void Env::set_order(MDB_txn* txn) const {
  for (const Table table : {Table::kAuthorLogs, Table::kFollowersLogs, Table::kPrivateLogs}) {
    const MDB_dbi logs = handles_[static_cast<unsigned>(table)];
    if (logs != 0) check_status(mdb_set_compare(txn, logs, &order_of), kOpeningTables);
  }
}

}  // namespace chirp::lmdb
