#include "store/lmdb/notifications.h"

namespace chirp::lmdb {
namespace {

constexpr Sequence kLast{~std::uint64_t{0}};

constexpr std::uint8_t kHasPost = 1;
constexpr std::uint8_t kHasComment = 2;
constexpr std::uint8_t kHasParent = 4;

}  // namespace

events::Notification decode_notification(Bytes key, Bytes value) {
  RecordReader in(Table::kNotifications, key, value);
  events::Notification told;
  told.user = user_at(key);
  told.sequence = {u64_at(key, 4)};
  told.topic = static_cast<events::Topic>(in.fixed<std::uint8_t>());
  told.time = in.time();
  told.actor = {in.varint32()};
  if (in.flags() & kHasPost) told.post = {in.fixed<std::uint64_t>()};
  if (in.flags() & kHasComment) told.comment = {in.fixed<std::uint64_t>()};
  if (in.flags() & kHasParent) told.parent = {in.fixed<std::uint64_t>()};
  if (events::name(told.topic).empty()) in.broken();
  return told;
}

std::uint8_t encode_notification(RecordWriter& out, const events::Notification& told) {
  out.fixed(static_cast<std::uint8_t>(told.topic));
  out.zigzag(told.time.ms - snowflake::kEpochMs);
  out.varint(told.actor.value);
  if (told.post != PostId{}) out.fixed(told.post.value);
  if (told.comment != kNoComment) out.fixed(told.comment.value);
  if (told.parent != kNoComment) out.fixed(told.parent.value);
  return static_cast<std::uint8_t>((told.post != PostId{} ? kHasPost : 0) |
                                   (told.comment != kNoComment ? kHasComment : 0) |
                                   (told.parent != kNoComment ? kHasParent : 0));
}

std::vector<events::Notification> read_notifications(const Txn& txn, UserNumber user,
                                                     Sequence before, std::uint32_t limit) {
  std::vector<events::Notification> found;
  Cursor cursor(txn, Table::kNotifications);
  for (auto item = cursor.before(key(user, before));
       item && found.size() < limit && user_at(item->key) == user; item = cursor.previous()) {
    found.push_back(decode_notification(item->key, item->value));
  }
  return found;
}

std::vector<events::Notification> scan_notifications(const Txn& txn, UserNumber user,
                                                     Sequence after, std::uint32_t limit) {
  std::vector<events::Notification> found;
  if (after == kLast) return found;
  Cursor cursor(txn, Table::kNotifications);
  for (auto item = cursor.at_or_after(key(user, Sequence{after.value + 1}));
       item && found.size() < limit; item = cursor.next()) {
    found.push_back(decode_notification(item->key, item->value));
  }
  return found;
}

}  // namespace chirp::lmdb
