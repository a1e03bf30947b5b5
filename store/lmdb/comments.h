// Comments by id, and two indexes: the threads of a post, and whose they are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ports/storage.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

[[nodiscard]] Comment decode_comment(Bytes key, Bytes value);
// Appends the payload; returns the flags.
std::uint8_t encode_comment(RecordWriter& out, const Comment& comment);

}  // namespace chirp::lmdb
