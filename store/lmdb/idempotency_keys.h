// Idempotency keys of posts: under author and hash of the key, the post that it made and the
// fingerprint of what was asked for; and an index by time, for forgetting.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/ports/rows.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

// See Rows::earlier and Rows::remember.
[[nodiscard]] std::optional<EarlierRequest> earlier_request(const Txn& txn,
                                                            const KeyedRequest& request);
void put_key(Batch& batch, const KeyedRequest& request, PostId post);
// Forgets keys first used before `before`, oldest first, at most `limit`. How many.
std::uint32_t erase_old_keys(Batch& batch, Time before, std::uint32_t limit);
std::uint32_t erase_keys_of(Batch& batch, UserNumber user, std::uint32_t limit);
[[nodiscard]] std::optional<Time> read_oldest_key(const Txn& txn);

// ---- for checks and repair
// The row that an item of either table wants in the other.
[[nodiscard]] std::string time_key_of(const Item& key_row);
[[nodiscard]] std::string key_of_time(Bytes time_key);

}  // namespace chirp::lmdb
