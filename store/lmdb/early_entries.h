// Entries of authors' logs that a load has put before it has stored their posts: see
// StoreState::early_from. Every read of the logs leaves out those without a post.
#pragma once

#include <cstdint>

#include "core/ports/store_state.h"
#include "store/lmdb/txn.h"

namespace chirp::lmdb {

// Whether an entry of the author's log of public posts, which is there, stands for nothing yet.
[[nodiscard]] bool is_without_post(const Txn& txn, const StoreState& state, UserNumber author,
                                   PostId id);
// The same of a row of any table.
[[nodiscard]] inline bool is_without_post(const Txn& txn, const StoreState& state, Table table,
                                          Bytes key) {
  return table == Table::kAuthorLogs && state.early_below != PostId{} &&
         is_without_post(txn, state, user_at(key), {u64_at(key, 4)});
}
// How many such entries the author has: the stored counters include them.
[[nodiscard]] std::int64_t entries_without_post(const Txn& txn, const StoreState& state,
                                                UserNumber author);

}  // namespace chirp::lmdb
