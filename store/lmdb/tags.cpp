#include "store/lmdb/tags.h"

#include <algorithm>

namespace chirp::lmdb {
namespace {

Key<12> tag_key(PostId post, std::size_t ordinal) {
  return key(post, UserNumber{static_cast<std::uint32_t>(ordinal)});
}

PostId post_at(Bytes key) { return {u64_at(key)}; }

struct TagUse {
  UserNumber author;
  std::string tag;
};

TagUse decode_use(const Item& item) {
  RecordReader in(Table::kTagUses, item.key, item.value);
  TagUse use;
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

bool erase_tags(Batch& batch, PostId post) {
  const auto keys = keys_of(batch.txn, post);
  for (const std::string& k : keys) batch.txn.erase_shown(Table::kTagUses, k);
  return !keys.empty();
}

std::vector<TaggedPost> read_tagged_posts(const Txn& txn, PostId first, PostId last,
                                          Direction direction, std::uint32_t limit) {
  std::vector<TaggedPost> posts;
  const bool up = direction == Direction::kUp;
  Cursor cursor(txn, Table::kTagUses);
  auto item = up ? cursor.at_or_after(tag_key(first, 0))
                 : cursor.at_or_before(tag_key(last, ~std::uint32_t{0}));
  for (; item; item = up ? cursor.next() : cursor.previous()) {
    const PostId post = post_at(item->key);
    if (up ? post > last : post < first) break;
    if (posts.empty() || posts.back().post != post) {
      if (posts.size() == limit) break;
      posts.push_back({post, {}, {}});
    }
    TagUse use = decode_use(*item);
    posts.back().author = use.author;
    posts.back().tags.push_back(std::move(use.tag));
  }
  if (!up) {
    for (TaggedPost& post : posts) std::reverse(post.tags.begin(), post.tags.end());
  }
  return posts;
}

void check_tag_use(const Item& item) { (void)decode_use(item); }

}  // namespace chirp::lmdb
