#include "store/lmdb/relations.h"

namespace chirp::lmdb {
namespace {

constexpr std::uint32_t kind_of(Relation relation) { return static_cast<std::uint32_t>(relation); }

Time decode_since(Bytes key, Bytes value) {
  RecordReader in(Table::kRelations, key, value);
  return in.time();
}

// Where the rows of one user stand in a table, if there are any.
bool has_rows(const Txn& txn, Table table, UserNumber user) {
  Cursor cursor(txn, table);
  const auto item = cursor.at_or_after(key(user, 0, kNobody));
  return item && user_at(item->key) == user;
}

}  // namespace

std::optional<Time> read_relation(const Txn& txn, UserNumber user, Relation relation,
                                  UserNumber other) {
  const auto k = key(user, kind_of(relation), other);
  const auto value = txn.get(Table::kRelations, k);
  if (!value) return std::nullopt;
  return decode_since(k, *value);
}

bool put_relation(Batch& batch, UserNumber user, Relation relation, UserNumber other, Time since) {
  const auto k = key(user, kind_of(relation), other);
  if (batch.txn.get(Table::kRelations, k)) return false;
  batch.record.start();
  batch.record.zigzag(since.ms - snowflake::kEpochMs);
  batch.txn.put(Table::kRelations, k, batch.record.seal(Table::kRelations, k));
  batch.txn.put(Table::kRelated, key(other, kind_of(relation), user), {});
  ++batch.state.relations;
  return true;
}

bool erase_relation(Batch& batch, UserNumber user, Relation relation, UserNumber other) {
  if (!batch.txn.erase(Table::kRelations, key(user, kind_of(relation), other))) return false;
  batch.txn.erase(Table::kRelated, key(other, kind_of(relation), user));
  --batch.state.relations;
  return true;
}

EdgePage read_related(const Txn& txn, UserNumber user, Relation relation, UserNumber after,
                      std::uint32_t limit) {
  EdgePage page;
  if (after.value == ~0u) return page;
  Cursor cursor(txn, Table::kRelations);
  const std::uint32_t kind = kind_of(relation);
  for (auto item = cursor.at_or_after(key(user, kind, UserNumber{after.value + 1}));
       item && user_at(item->key) == user && user_at(item->key, 4).value == kind;
       item = cursor.next()) {
    if (page.edges.size() == limit) {
      page.more = true;
      break;
    }
    page.edges.push_back({user_at(item->key, 8), decode_since(item->key, item->value)});
  }
  return page;
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

bool is_severed(const Txn& txn, const StoreState& state, UserNumber a, UserNumber b) {
  if (state.relations == 0) return false;
  return txn.get(Table::kRelations, key(a, kind_of(Relation::kBlock), b)).has_value() ||
         txn.get(Table::kRelations, key(b, kind_of(Relation::kBlock), a)).has_value();
}

std::uint32_t erase_relations_of(Batch& batch, UserNumber user, std::uint32_t limit) {
  std::uint32_t erased = 0;
  for (const Table table : {Table::kRelations, Table::kRelated}) {
    while (erased < limit) {
      std::optional<std::pair<Relation, UserNumber>> found;
      {
        Cursor cursor(batch.txn, table);
        const auto item = cursor.at_or_after(key(user, 0, kNobody));
        if (item && user_at(item->key) == user) {
          found.emplace(static_cast<Relation>(user_at(item->key, 4).value), user_at(item->key, 8));
        }
      }
      if (!found) break;
      if (table == Table::kRelations) {
        erase_relation(batch, user, found->first, found->second);
      } else if (!erase_relation(batch, found->second, found->first, user)) {
        // An index row of nothing; doctor names it, a removal only gets it out of the way.
        batch.txn.erase(Table::kRelated, key(user, kind_of(found->first), found->second));
      }
      ++erased;
    }
  }
  return erased;
}

}  // namespace chirp::lmdb
