#include "store/lmdb/notifications.h"

#include <algorithm>

namespace chirp::lmdb {
namespace {

constexpr Sequence kFirst{0};
constexpr Sequence kLast{~std::uint64_t{0}};

constexpr std::uint8_t kHasPost = 1;
constexpr std::uint8_t kHasComment = 2;
constexpr std::uint8_t kHasParent = 4;

// Takes the user's oldest away until `count` are gone or none is left; how many went.
std::uint64_t erase_oldest(Batch& batch, UserNumber user, std::uint64_t count) {
  std::uint64_t erased = 0;
  for (; erased < count; ++erased) {
    std::string oldest;
    {
      Cursor cursor(batch.txn, Table::kNotifications);
      const auto item = cursor.at_or_after(key(user, kFirst));
      if (!item || user_at(item->key) != user) break;
      oldest = item->key;
    }
    batch.txn.erase_shown(Table::kNotifications, oldest);
  }
  return erased;
}

void put_row(Batch& batch, const events::Notification& told) {
  const auto k = key(told.user, told.sequence);
  batch.record.start();
  batch.record.fixed(static_cast<std::uint8_t>(told.topic));
  batch.record.zigzag(told.time.ms - snowflake::kEpochMs);
  batch.record.varint(told.actor.value);
  if (told.post != PostId{}) batch.record.fixed(told.post.value);
  if (told.comment != kNoComment) batch.record.fixed(told.comment.value);
  if (told.parent != kNoComment) batch.record.fixed(told.parent.value);
  const auto flags = static_cast<std::uint8_t>((told.post != PostId{} ? kHasPost : 0) |
                                               (told.comment != kNoComment ? kHasComment : 0) |
                                               (told.parent != kNoComment ? kHasParent : 0));
  batch.txn.put(Table::kNotifications, k, batch.record.seal(Table::kNotifications, k, flags));
}

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

void put_notifications(Batch& batch, std::span<const events::Notification> told,
                       std::uint32_t keep) {
  if (told.empty()) return;
  const UserNumber user = told.front().user;
  Reader reader = read_reader(batch.txn, user);
  for (const events::Notification& one : told) {
    if (!batch.txn.get(Table::kNotifications, key(user, one.sequence))) ++reader.notifications;
    put_row(batch, one);
  }
  if (reader.notifications > keep) {
    reader.notifications -= erase_oldest(batch, user, reader.notifications - keep);
  }
  put_reader(batch, user, reader);
}

void erase_notification(Batch& batch, UserNumber user, Sequence sequence) {
  if (!batch.txn.erase(Table::kNotifications, key(user, sequence))) return;
  Reader reader = read_reader(batch.txn, user);
  if (reader.notifications > 0) --reader.notifications;
  put_reader(batch, user, reader);
}

std::uint32_t erase_notifications_of(Batch& batch, UserNumber user, std::uint32_t limit) {
  const auto erased = static_cast<std::uint32_t>(erase_oldest(batch, user, limit));
  if (erased < limit) {
    batch.txn.erase(Table::kReaders, key(user));
  } else if (erased > 0) {
    Reader reader = read_reader(batch.txn, user);
    reader.notifications -= std::min<std::uint64_t>(reader.notifications, erased);
    put_reader(batch, user, reader);
  }
  return erased;
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
