// Counters of users, and the tiers and push-from marks that follow from them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/model/policy.h"
#include "core/model/user.h"
#include "core/ports/storage.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

[[nodiscard]] UserCounters decode_counters(Bytes key, Bytes value);
// Adds what the log holds for `numbers` (in any order) and the counters have yet to take in.
void add_pending(const Txn& txn, const StoreState& state, std::span<const UserNumber> numbers,
                 std::span<UserCounters> counters);
// Appends the payload; returns the flags.
std::uint8_t encode_counters(RecordWriter& out, const UserCounters& counters);
std::uint8_t encode_mark(RecordWriter& out, const feed::AuthorMark& mark);

[[nodiscard]] feed::AuthorMark decode_mark(Bytes key, Bytes value);
// Marks with a push-from of their own, of the authors given (ascending).
[[nodiscard]] std::vector<feed::AuthorMark> read_pulled(const Txn& txn,
                                                        std::span<const UserNumber> authors);

}  // namespace chirp::lmdb
