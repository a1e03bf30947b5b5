// Author cards and the indexes that lead to them.
#pragma once

#include <optional>

#include "core/model/user.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

[[nodiscard]] AuthorCard decode_card(Bytes key, Bytes value);
// True if there is such a user and no mark of removal.
[[nodiscard]] bool is_present(const Txn& txn, UserNumber number);
[[nodiscard]] bool is_present(const Item& card);
// Appends the payload; returns the flags.
std::uint8_t encode_card(RecordWriter& out, const AuthorCard& card);

}  // namespace chirp::lmdb
