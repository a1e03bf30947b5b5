#include "store/lmdb/tags.h"

#include <algorithm>

#include "core/model/entities.h"
#include "store/lmdb/posts.h"

namespace chirp::lmdb {
namespace {

Key<12> tag_key(PostId post, std::size_t ordinal) {
  return key(post, UserNumber{static_cast<std::uint32_t>(ordinal)});
}

PostId post_at(Bytes key) { return {u64_at(key)}; }

struct Use {
  UserNumber author;
  std::string tag;
};

Use decode_use(const Item& item) {
  RecordReader in(Table::kTagUses, item.key, item.value);
  Use use;
  use.author = {in.varint32()};
  use.tag = in.rest();
  return use;
}

std::vector<std::string> keys_of(const Txn& txn, PostId post) {
  std::vector<std::string> keys;
  Cursor cursor(txn, Table::kTagUses);
  for (auto item = cursor.at_or_after(tag_key(post, 0)); item && post_at(item->key) == post;
       item = cursor.next()) {
    keys.emplace_back(item->key);
  }
  return keys;
}

}  // namespace

void put_tags(Batch& batch, const TaggedPost& post) {
  erase_tags(batch, post.post);
  for (std::size_t i = 0; i < post.tags.size(); ++i) {
    const auto k = tag_key(post.post, i);
    batch.record.start();
    batch.record.varint(post.author.value);
    batch.record.raw(post.tags[i]);
    batch.txn.put(Table::kTagUses, k, batch.record.seal(Table::kTagUses, k));
  }
}

std::uint32_t erase_tags(Batch& batch, PostId post) {
  const auto keys = keys_of(batch.txn, post);
  for (const std::string& k : keys) batch.txn.erase_shown(Table::kTagUses, k);
  return static_cast<std::uint32_t>(keys.size());
}

void put_tags_of_present(Batch& batch, const TaggedPost& post) {
  const auto found = read_post(batch.txn, Entry{post.post, post.author});
  if (found && found->privacy == Privacy::kPublic) put_tags(batch, post);
}

void put_recent_tags(Batch& batch, const Post& post) {
  if (post.privacy != Privacy::kPublic || post.text.find('#') == std::string::npos) return;
  const Time now = batch.state.passed.at(batch.now);
  if (snowflake::time_of(post.id.value).ms < now.ms - kTagsKeptMs) return;
  put_tags(batch, {post.id, post.author, tags_in(post.text)});
}

void erase_old_tags(Batch& batch, Time since, std::uint32_t limit) {
  for (std::uint32_t left = limit;;) {
    const auto oldest = read_oldest_tagged_post(batch.txn);
    if (!oldest || snowflake::time_of(oldest->value) >= since) return;
    if (keys_of(batch.txn, *oldest).size() > left) return;
    const std::uint32_t erased = erase_tags(batch, *oldest);
    if (erased == 0) throw_corrupt(Table::kTagUses, tag_key(*oldest, 0), "it is not in its place");
    left -= erased;
  }
}

std::vector<TaggedPost> read_tagged_posts(const Txn& txn, PostId below, std::uint32_t limit) {
  std::vector<TaggedPost> posts;
  Cursor cursor(txn, Table::kTagUses);
  for (auto item = cursor.before(tag_key(below, 0)); item; item = cursor.previous()) {
    const PostId post = post_at(item->key);
    if (posts.empty() || posts.back().post != post) {
      if (posts.size() == limit) break;
      posts.push_back({post, {}, {}});
    }
    Use use = decode_use(*item);
    posts.back().author = use.author;
    posts.back().tags.push_back(std::move(use.tag));
  }
  for (TaggedPost& post : posts) std::reverse(post.tags.begin(), post.tags.end());
  return posts;
}

void check_tag_use(const Item& item) { (void)decode_use(item); }

std::optional<PostId> read_oldest_tagged_post(const Txn& txn) {
  Cursor cursor(txn, Table::kTagUses);
  const auto item = cursor.first();
  if (!item) return std::nullopt;
  return post_at(item->key);
}

}  // namespace chirp::lmdb
