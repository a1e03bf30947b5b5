// Notifications by user and sequence of the event, newest last; and of each user how many there are
// and how far they have read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/notification.h"
#include "store/lmdb/batch.h"
#include "store/lmdb/readers.h"

namespace chirp::lmdb {

[[nodiscard]] events::Notification decode_notification(Bytes key, Bytes value);
// Appends the payload; returns the flags.
std::uint8_t encode_notification(RecordWriter& out, const events::Notification& told);

}  // namespace chirp::lmdb
