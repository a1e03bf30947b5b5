#include "store/lmdb/mending.h"

#include <utility>

#include "core/error.h"

namespace chirp::lmdb {

std::optional<Item> first_above(Cursor& cursor, const std::string& after) {
  if (after.empty()) return cursor.first();
  const auto item = cursor.at_or_after(after);
  return item && item->key == after ? cursor.next() : item;
}

std::optional<std::string> visit_some(const Txn& txn, Table table, const std::string& after,
                                      const std::function<std::size_t(const Item&)>& visit) {
  Cursor cursor(txn, table);
  auto item = first_above(cursor, after);
  std::optional<std::string> reached;
  for (std::size_t weight = 0; item && weight < kMendedRows; item = cursor.next()) {
    weight += visit(*item);
    reached = item->key;
  }
  return item ? reached : std::nullopt;
}

MendingStep mend_by(Table table, Look look) {
  return [table, look = std::move(look)](Batch& batch, const std::string& after) {
    WantedRows wanted;
    Mended mended;
    mended.reached = visit_some(batch.txn, table, after, [&](const Item& item) {
      try {
        look(batch.txn, item, wanted);
      } catch (const Error& error) {
        // The checks report what can't be read. Everything else is repaired.
        if (error.code() != ErrorCode::kCorrupt) throw;
      }
      return std::size_t{1};
    });
    for (const Fix& fix : wanted.fixes()) {
      if (fix.value) {
        batch.txn.put(fix.table, fix.key, *fix.value);
      } else {
        batch.txn.erase(fix.table, fix.key);
      }
    }
    mended.rows = wanted.fixes().size();
    return mended;
  };
}

}  // namespace chirp::lmdb
