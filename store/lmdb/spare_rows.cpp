#include "store/lmdb/spare_rows.h"

#include <array>
#include <string>

namespace chirp::lmdb {
namespace {

constexpr std::array<Table, kPairs.size() + 1> kSpareTables{Table::kRebuilt, kPairs[0].spare,
                                                            kPairs[1].spare, kPairs[2].spare};

// Emptying a table frees its pages. This many take about 15 ms.
constexpr std::size_t kFreedAtOnceMax = 175'000;

// Begins at the end, so that each page is emptied before the next one is changed.
void erase_last(WriteTxn& txn, Table table, std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i) {
    const auto last = Cursor(txn, table).last();
    if (!last) return;
    txn.erase_shown(table, std::string(last->key));
  }
}

}  // namespace

std::uint64_t spare_rows(const Txn& txn) {
  std::uint64_t rows = 0;
  for (const Table table : kSpareTables) rows += txn.stat(table).ms_entries;
  return rows;
}

bool empty_some(WriteTxn& txn, std::size_t rows) {
  for (const Table table : kSpareTables) {
    const MDB_stat facts = txn.stat(table);
    if (facts.ms_entries == 0) continue;
    if (facts.ms_leaf_pages + facts.ms_branch_pages <= kFreedAtOnceMax) {
      txn.erase_all(table);
    } else {
      erase_last(txn, table, rows);
    }
    break;
  }
  return spare_rows(txn) == 0;
}

}  // namespace chirp::lmdb
