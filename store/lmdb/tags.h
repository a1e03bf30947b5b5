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
// The number of tags the post had.
std::uint32_t erase_tags(Batch& batch, PostId post);
// Takes in posts that are there and public.
void put_tags_of_present(Batch& batch, const TaggedPost& post);
// Of loaded posts that are young enough, whose log row no consumer will see.
void put_recent_tags(Batch& batch, const Post& post);
// Posts of before `since` lose their tags, oldest first, as long as no more than `limit` tags go.
void erase_old_tags(Batch& batch, Time since, std::uint32_t limit);

// See Snapshot::tagged_posts.
[[nodiscard]] std::vector<TaggedPost> read_tagged_posts(const Txn& txn, PostId below,
                                                        std::uint32_t limit);
// Throws Error{kCorrupt} for a row that can't be read.
void check_tag_use(const Item& item);
[[nodiscard]] std::optional<PostId> read_oldest_tagged_post(const Txn& txn);

}  // namespace chirp::lmdb
