#include "store/lmdb/reposts.h"

#include "store/lmdb/cards.h"
#include "store/lmdb/posts.h"
#include "store/lmdb/sight.h"

namespace chirp::lmdb {
namespace {

using events::Topic;

events::Event event_of(Topic topic, const Post& repost) {
  events::Event event;
  event.topic = topic;
  event.actor = repost.author;
  event.other = repost.original_author;
  event.post = repost.id;
  event.original = repost.original;
  return event;
}

}  // namespace

std::optional<PostId> repost_of(const Txn& txn, PostId original, UserNumber user) {
  const auto value = txn.get(Table::kReposts, key(original, user));
  if (!value) return std::nullopt;
  return PostId{u64_at(*value)};
}

std::vector<Entry> read_reposts(const Txn& txn, PostId original, UserNumber after,
                                std::uint32_t limit) {
  std::vector<Entry> reposts;
  if (after.value == ~0u) return reposts;
  Cursor cursor(txn, Table::kReposts);
  for (auto item = cursor.at_or_after(key(original, UserNumber{after.value + 1}));
       item && reposts.size() < limit && u64_at(item->key) == original.value;
       item = cursor.next()) {
    reposts.push_back({PostId{u64_at(item->value)}, user_at(item->key, 8), Origin::kPushed});
  }
  return reposts;
}

void withdraw(Batch& batch, const Post& repost) {
  erase_post(batch, repost);
  batch.log(event_of(Topic::kRepostRemoved, repost));
}

Outcome apply(Batch& batch, const Repost& change) {
  if (!is_present(batch.txn, change.user)) return {Result::kMissing, {}, {}, {}};
  const auto original = seen_original(batch, change.user, change.post);
  if (!original) return {Result::kMissing, {}, {}, {}};
  if (original->privacy != Privacy::kPublic) return {Result::kRefused, {}, {}, {}};
  if (const auto id = repost_of(batch.txn, original->id, change.user)) {
    const auto there = read_post(batch.txn, *id);
    return {Result::kAlready, *id, original->author, there ? there->created_at : Time{}};
  }
  Post repost;
  repost.id = batch.mint();
  repost.author = change.user;
  repost.created_at = batch.now;
  repost.original = original->id;
  repost.original_author = original->author;
  put_record(batch, repost);
  put_in_log(batch, repost);
  put_under_original(batch, repost);
  batch.log(event_of(Topic::kRepostCreated, repost));
  return {Result::kDone, repost.id, repost.original_author, repost.created_at};
}

Outcome apply(Batch& batch, const Unrepost& change) {
  if (!is_present(batch.txn, change.user)) return {Result::kMissing, {}, {}, {}};
  const auto original = seen_original(batch, change.user, change.post);
  if (!original) return {Result::kMissing, {}, {}, {}};
  const auto id = repost_of(batch.txn, original->id, change.user);
  const auto repost = id ? read_post(batch.txn, *id) : std::nullopt;
  if (!repost) return {Result::kAlready, {}, {}, {}};
  withdraw(batch, *repost);
  return {Result::kDone, repost->id, {}, {}};
}

}  // namespace chirp::lmdb
