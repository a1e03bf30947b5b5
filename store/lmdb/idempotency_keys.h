// Idempotency keys of posts. By author and hash of the key: the resulting post and a fingerprint of
// the request. A second index by time is for expiry.
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
// Deletes at most `limit` keys first used before `before`, oldest first. Returns their number.
std::uint32_t erase_old_keys(Batch& batch, Time before, std::uint32_t limit);
std::uint32_t erase_keys_of(Batch& batch, UserNumber user, std::uint32_t limit);
[[nodiscard]] std::optional<Time> read_oldest_key(const Txn& txn);

// ---- for checks and repair
// Returns the matching row of the other table.
[[nodiscard]] std::string time_key_of(const Item& key_row);
[[nodiscard]] std::string key_of_time(Bytes time_key);

}  // namespace chirp::lmdb
