// Blocks, mutes and switched-off reposts: a record under whoever set one, and an index from the
// other side.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/model/relation.h"
#include "core/ports/snapshot.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

// Since when; empty if it is not so.
[[nodiscard]] std::optional<Time> read_relation(const Txn& txn, UserNumber user, Relation relation,
                                                UserNumber other);
// False, and nothing changed, if it is so already.
bool put_relation(Batch& batch, UserNumber user, Relation relation, UserNumber other, Time since);
inline bool put_relation(Batch& batch, UserNumber user, Relation relation, UserNumber other) {
  return put_relation(batch, user, relation, other, batch.now);
}
// False if it was not so.
bool erase_relation(Batch& batch, UserNumber user, Relation relation, UserNumber other);
// See Snapshot::related and Snapshot::bonds.
[[nodiscard]] EdgePage read_related(const Txn& txn, UserNumber user, Relation relation,
                                    UserNumber after, std::uint32_t limit);
[[nodiscard]] std::vector<Bond> read_bonds(const Txn& txn, const StoreState& state,
                                           UserNumber viewer, std::span<const UserNumber> others);
[[nodiscard]] bool is_severed(const Txn& txn, const StoreState& state, UserNumber a, UserNumber b);
// Removes up to `limit` relations from and to the user; how many.
std::uint32_t erase_relations_of(Batch& batch, UserNumber user, std::uint32_t limit);

}  // namespace chirp::lmdb
