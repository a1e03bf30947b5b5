// Notifications by user and sequence of the event, newest last; and of each user how many there are
// and how far they have read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/events/notification.h"
#include "store/lmdb/batch.h"
#include "store/lmdb/readers.h"

namespace chirp::lmdb {

[[nodiscard]] events::Notification decode_notification(Bytes key, Bytes value);
// Writes what one user is told (ascending) and keeps the newest `keep`.
void put_notifications(Batch& batch, std::span<const events::Notification> told,
                       std::uint32_t keep);
void erase_notification(Batch& batch, UserNumber user, Sequence sequence);
// Removes up to `limit` notifications of the user, and what is kept of the reader once they are
// gone; how many.
std::uint32_t erase_notifications_of(Batch& batch, UserNumber user, std::uint32_t limit);
// Below `before`, newest first.
[[nodiscard]] std::vector<events::Notification> read_notifications(const Txn& txn, UserNumber user,
                                                                   Sequence before,
                                                                   std::uint32_t limit);
[[nodiscard]] std::vector<events::Notification> scan_notifications(const Txn& txn, UserNumber user,
                                                                   Sequence after,
                                                                   std::uint32_t limit);

}  // namespace chirp::lmdb
