// The event log and the queue of unfinished fan-outs.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/event.h"
#include "core/ports/snapshot.h"
#include "store/lmdb/record.h"
#include "store/lmdb/txn.h"

namespace chirp::lmdb {

// These append the payload and return the flags.
std::uint8_t encode_event(RecordWriter& out, const events::Event& event);
std::uint8_t encode_fan_out_row(RecordWriter& out, const FanOutRow& row);

[[nodiscard]] events::Event decode_event(Bytes key, Bytes value);
// From `from` on, oldest first.
[[nodiscard]] std::vector<events::Event> read_events(const Txn& txn, Sequence from);

[[nodiscard]] FanOutRow decode_fan_out_row(Bytes key, Bytes value);

}  // namespace chirp::lmdb
