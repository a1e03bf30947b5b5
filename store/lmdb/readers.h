// How far each user has read, and how many notifications are kept for them.
#pragma once

#include <cstdint>

#include "core/ports/tables.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

using Reader = tables::Readers::Row;

[[nodiscard]] Reader decode_reader(Bytes key, Bytes value);
// Appends the payload; returns the flags.
std::uint8_t encode_reader(RecordWriter& out, const Reader& reader);

}  // namespace chirp::lmdb
