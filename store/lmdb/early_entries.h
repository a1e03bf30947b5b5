// Entries in authors' logs that a load wrote before it stored their posts: see
// StoreState::early_from. Every read of the logs skips entries without a post.
#pragma once

#include <cstdint>

#include "core/ports/store_state.h"
#include "store/lmdb/txn.h"

namespace chirp::lmdb {

// Whether an existing entry in the author's log of public posts has no post yet.
[[nodiscard]] bool is_without_post(const Txn& txn, const StoreState& state, UserNumber author,
                                   PostId id);
// The same for a row of any table.
[[nodiscard]] inline bool is_without_post(const Txn& txn, const StoreState& state, Table table,
                                          Bytes key) {
  return table == Table::kAuthorLogs && state.early_below != PostId{} &&
         is_without_post(txn, state, user_at(key), {u64_at(key, 4)});
}
// Returns the number of such entries of the author, which the stored counters include.
[[nodiscard]] std::int64_t entries_without_post(const Txn& txn, const StoreState& state,
                                                UserNumber author);

}  // namespace chirp::lmdb
