// What is counted of posts and comments. A row that would hold zeros alone is not there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/reaction.h"
#include "core/ports/snapshot.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

[[nodiscard]] ContentCounters decode_content_counters(Bytes key, Bytes value);
// What is stored and what is pending, one for each.
[[nodiscard]] std::vector<ContentCounters> read_content_counters(
    const Txn& txn, const StoreState& state, std::span<const ContentId> contents);

// Appends the payload; returns the flags.
std::uint8_t encode_content_counters(RecordWriter& out, const ContentCounters& counters);

}  // namespace chirp::lmdb
