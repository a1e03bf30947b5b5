// Hashtags of the public posts of the last days, by post.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/post.h"
#include "core/model/trend.h"
#include "core/ports/store_state.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

// Replaces the tags of a post.
void put_tags(Batch& batch, const TaggedPost& post);
// Returns false if it had none.
bool erase_tags(Batch& batch, PostId post);

// Reads at most `limit` posts from `first` to `last`, oldest first (kUp) or newest first.
[[nodiscard]] std::vector<TaggedPost> read_tagged_posts(const Txn& txn, PostId first, PostId last,
                                                        Direction direction, std::uint32_t limit);
// Throws Error{kCorrupt} for a row that can't be read.
void check_tag_use(const Item& item);

}  // namespace chirp::lmdb
