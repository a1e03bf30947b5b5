#include "store/lmdb/relations.h"

namespace chirp::lmdb {
namespace {

// Where the rows of one user stand in a table, if there are any.
bool has_rows(const Txn& txn, Table table, UserNumber user) {
  Cursor cursor(txn, table);
  const auto item = cursor.at_or_after(key(user, 0, kNobody));
  return item && user_at(item->key) == user;
}

}  // namespace

Time decode_since(Bytes key, Bytes value) {
  RecordReader in(Table::kRelations, key, value);
  return in.time();
}

std::uint8_t encode_since(RecordWriter& out, Time since) {
  out.zigzag(since.ms - snowflake::kEpochMs);
  return 0;
}

std::vector<Bond> read_bonds(const Txn& txn, const StoreState& state, UserNumber viewer,
                             std::span<const UserNumber> others) {
  std::vector<Bond> bonds(others.size());
  if (state.relations == 0) return bonds;
  // Most users have set nothing, and nothing is set about them.
  const bool sets = has_rows(txn, Table::kRelations, viewer);
  const bool is_set = has_rows(txn, Table::kRelated, viewer);
  if (!sets && !is_set) return bonds;
  const auto has = [&](Table table, Relation relation, UserNumber other) {
    return txn.get(table, key(viewer, kind_of(relation), other)).has_value();
  };
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (sets) {
      bonds[i].blocks = has(Table::kRelations, Relation::kBlock, others[i]);
      bonds[i].mutes = has(Table::kRelations, Relation::kMute, others[i]);
      bonds[i].reposts_off = has(Table::kRelations, Relation::kRepostsOff, others[i]);
    }
    if (is_set) bonds[i].blocked_by = has(Table::kRelated, Relation::kBlock, others[i]);
  }
  return bonds;
}

}  // namespace chirp::lmdb
