// Reposts: a post of its own by whoever reposts (store/lmdb/posts.h), and a row under its original,
// which keeps a user from reposting it twice.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/post.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

// The user's repost of a post, if there is one.
[[nodiscard]] std::optional<PostId> repost_of(const Txn& txn, PostId original, UserNumber user);
// See Snapshot::reposts.
[[nodiscard]] std::vector<Entry> read_reposts(const Txn& txn, PostId original, UserNumber after,
                                              std::uint32_t limit);

}  // namespace chirp::lmdb
