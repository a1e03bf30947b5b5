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
[[nodiscard]] std::optional<Post> read_post(const Txn& txn, PostId id);
// The post an entry stands for; empty if it is gone.
[[nodiscard]] std::optional<Post> read_post(const Txn& txn, const Entry& entry);

// Appends the payload; returns the flags.
std::uint8_t encode_post(RecordWriter& out, const Post& post);
// The row that says that a post names an upload.
[[nodiscard]] Key<16> media_use(MediaId upload, PostId post);
// Calls `visit` with the uploads that a post names.
template <class Visit>
void each_upload(const Post& post, Visit visit) {
  for (const Medium& medium : post.media) {
    if (medium.upload != MediaId{}) visit(medium.upload);
  }
}

// Entries of one author in a range, newest first, at most `limit`.
[[nodiscard]] std::vector<Entry> author_log(const Txn& txn, UserNumber author, IdRange range,
                                            std::uint64_t limit, Origin origin);
// The logs of many authors merged; see Snapshot::author_entries.
[[nodiscard]] std::vector<Entry> merged_logs(const Txn& txn, std::span<const UserNumber> authors,
                                             IdRange range, Direction direction,
                                             std::uint32_t limit);

}  // namespace chirp::lmdb
