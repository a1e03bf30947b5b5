#include "store/lmdb/notifications.h"

namespace chirp::lmdb {
namespace {

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

}  // namespace chirp::lmdb
