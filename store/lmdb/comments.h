// Comments by id, and two indexes: the threads of a post, and whose they are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ports/storage.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

[[nodiscard]] Comment decode_comment(Bytes key, Bytes value);
[[nodiscard]] std::optional<Comment> read_comment(const Txn& txn, CommentId id);
// See Snapshot::thread.
[[nodiscard]] std::vector<CommentId> read_thread(const Txn& txn, PostId post, CommentId parent,
                                                 CommentId bound, Direction direction,
                                                 std::uint32_t limit);

// A comment that is not removed, whose author and post are there.
[[nodiscard]] std::optional<Comment> present_comment(const Batch& batch, CommentId id);
// One that the user may see.
[[nodiscard]] std::optional<Comment> seen_comment(const Batch& batch, UserNumber user,
                                                  CommentId id);

// Writes the record and both indexes. `post_author` is whose the post is.
void put_comment(Batch& batch, const Comment& comment, UserNumber post_author);
// Takes a comment that is there away: with replies it stays, emptied; without, it goes, and so do
// the emptied ones above that have no reply any more. Its likes are left to remove_post_traces. The
// counters are the caller's.
void remove_comment(Batch& batch, const Comment& comment);
// Takes every row of one comment away, whatever its replies; its likes are left.
void erase_comment(Batch& batch, const Comment& comment);

[[nodiscard]] Outcome apply(Batch& batch, const AddComment& change);
[[nodiscard]] Outcome apply(Batch& batch, const RemoveComment& change);

}  // namespace chirp::lmdb
