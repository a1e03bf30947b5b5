// Reactions to posts and likes of comments: a record under what they are to, and a row under whose
// they are, which names the author of that.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ports/storage.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

// Of a row whose key names the content.
[[nodiscard]] Reaction decode_reaction(Bytes key, Bytes value);
// Appends the payload; returns the flags.
std::uint8_t encode_reaction(RecordWriter& out, const Reaction& reaction);

}  // namespace chirp::lmdb
