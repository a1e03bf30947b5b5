// Hashtags of the public posts of the last days, by post.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/post.h"
#include "core/model/trend.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

// Writes the tags of a post, in place of those it has.
void put_tags(Batch& batch, const TaggedPost& post);
// False if it had none.
bool erase_tags(Batch& batch, PostId post);

// Of posts from `first` to `last`, oldest first, at most `limit` posts.
[[nodiscard]] std::vector<TaggedPost> read_tagged_posts(const Txn& txn, PostId first, PostId last,
                                                        std::uint32_t limit);
// See Snapshot::tagged_posts.
[[nodiscard]] std::vector<TaggedPost> read_tagged_posts(const Txn& txn, PostId below,
                                                        std::uint32_t limit);
// Throws Error{kCorrupt} for a row that can't be read.
void check_tag_use(const Item& item);
[[nodiscard]] std::optional<PostId> read_oldest_tagged_post(const Txn& txn);

}  // namespace chirp::lmdb
