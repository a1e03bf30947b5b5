// Posts by (author, id), which makes an author's log one range, and the indexes by id and source.
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
[[nodiscard]] std::optional<Post> read_post(const Txn& txn, UserNumber author, PostId id);
// Empty if there is none; throws Error{kCorrupt} if the index names a post that is not there.
[[nodiscard]] std::optional<Post> find_post(const Txn& txn, PostId id);

// A post is its record and its indexes; a load writes each table in the order of its keys.
void put_record(Batch& batch, const Post& post);
void put_indexes(Batch& batch, const Post& post);
void erase_post(Batch& batch, const Post& post);

// Entries of one author in a range, newest first, at most `limit`.
[[nodiscard]] std::vector<Entry> author_log(const Txn& txn, UserNumber author, IdRange range,
                                            std::uint64_t limit, Origin origin);
// The logs of many authors merged; see Snapshot::author_entries.
[[nodiscard]] std::vector<Entry> merged_logs(const Txn& txn, std::span<const UserNumber> authors,
                                             IdRange range, Direction direction,
                                             std::uint32_t limit);

}  // namespace chirp::lmdb
