// Posts by id, the logs of authors by (author, id), and the index of source ids.
//
// The logs hold no posts: an author's newest are one short range, a merge of hundreds of logs stays
// in a few pages, and what is posted or loaded in the order of time is appended.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/model/post.h"
#include "core/ports/snapshot.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

[[nodiscard]] Post decode_post(Bytes key, Bytes value);
// Appends the payload; returns the flags.
std::uint8_t encode_post(RecordWriter& out, const Post& post);
// The row that says that a post names an upload.
[[nodiscard]] Key<16> media_use(MediaId upload, PostId post);
// The logs of many authors merged; see Snapshot::author_entries.
[[nodiscard]] std::vector<Entry> merged_logs(const Txn& txn, std::span<const UserNumber> authors,
                                             IdRange range, Direction direction,
                                             std::uint32_t limit);

}  // namespace chirp::lmdb
