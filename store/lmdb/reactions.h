// Reactions to posts and likes of comments: a record under what they are to, and a row under whose
// they are, which names the author of that.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ports/storage.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

[[nodiscard]] ReactionRow decode_reaction(Bytes key, Bytes value);
[[nodiscard]] std::optional<Reaction> read_reaction(const Txn& txn, ContentId content,
                                                    UserNumber user);
// See Snapshot::reactions.
[[nodiscard]] std::vector<Reaction> read_reactions(const Txn& txn, ContentId content,
                                                   UserNumber after,
                                                   std::optional<ReactionType> type,
                                                   std::uint32_t limit);

// `author` is whose the content is.
void put_reaction(Batch& batch, ContentId content, UserNumber author, const Reaction& reaction);
// False if there was none. The counters are the caller's.
bool erase_reaction(Batch& batch, ContentId content, UserNumber user);

[[nodiscard]] Outcome apply(Batch& batch, const React& change);
[[nodiscard]] Outcome apply(Batch& batch, const Unreact& change);
[[nodiscard]] Outcome apply(Batch& batch, const LikeComment& change);
[[nodiscard]] Outcome apply(Batch& batch, const UnlikeComment& change);

}  // namespace chirp::lmdb
