// How far each user has read, and how many notifications are kept for them.
#pragma once

#include <cstdint>

#include "core/model/reading.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

struct Reader : ReadingMarks {
  std::uint64_t notifications = 0;  // rows of the table of notifications
};

[[nodiscard]] Reader decode_reader(Bytes key, Bytes value);
// All empty for who has no record.
[[nodiscard]] Reader read_reader(const Txn& txn, UserNumber user);
void put_reader(Batch& batch, UserNumber user, const Reader& reader);

}  // namespace chirp::lmdb
