// The event log and the queue of unfinished fan-outs.
#include "core/error.h"
#include "store/lmdb/records.h"

namespace chirp::lmdb {
namespace {

// Which of the optional fields an event record has.
constexpr std::uint64_t kHasOther = 1;
constexpr std::uint64_t kHasPost = 2;
constexpr std::uint64_t kHasRows = 4;
constexpr std::uint64_t kHasOriginal = 8;
constexpr std::uint64_t kHasComment = 16;
constexpr std::uint64_t kHasParent = 32;
constexpr std::uint64_t kHasReaction = 64;  // and the previous type
constexpr std::uint64_t kPrivacyShift = 7;

std::uint64_t fields_of(const events::Event& event) {
  return (event.other != kNobody ? kHasOther : 0) | (event.post != kBelowAllPosts ? kHasPost : 0) |
         (event.rows != 0 ? kHasRows : 0) | (event.original != kBelowAllPosts ? kHasOriginal : 0) |
         (event.comment != kNoComment ? kHasComment : 0) |
         (event.parent != kNoComment ? kHasParent : 0) | (event.reaction ? kHasReaction : 0) |
         (static_cast<std::uint64_t>(event.privacy) << kPrivacyShift);
}

std::optional<ReactionType> decode_kind_of_reaction(RecordReader& in, std::uint8_t value) {
  if (value == 0) return std::nullopt;
  const auto type = static_cast<ReactionType>(value);
  if (name(type).empty()) in.broken();
  return type;
}

std::uint8_t encoded(std::optional<ReactionType> type) {
  return type ? static_cast<std::uint8_t>(*type) : std::uint8_t{0};
}

}  // namespace

std::uint8_t encode_event(RecordWriter& out, const events::Event& event) {
  out.varint(fields_of(event));
  out.zigzag(event.time.ms - snowflake::kEpochMs);
  out.varint(event.actor.value);
  if (event.other != kNobody) out.varint(event.other.value);
  if (event.post != kBelowAllPosts) out.fixed(event.post.value);
  if (event.rows != 0) out.varint(event.rows);
  if (event.original != kBelowAllPosts) out.fixed(event.original.value);
  if (event.comment != kNoComment) out.fixed(event.comment.value);
  if (event.parent != kNoComment) out.fixed(event.parent.value);
  if (event.reaction) {
    out.fixed(encoded(event.reaction));
    out.fixed(encoded(event.reaction_before));
  }
  return static_cast<std::uint8_t>(event.topic);
}

events::Event decode_event(Bytes key, Bytes value) {
  RecordReader in(Table::kEvents, key, value);
  events::Event event;
  event.sequence = {u64_at(key)};
  event.topic = static_cast<events::Topic>(in.flags());
  if (events::name(event.topic).empty()) in.broken();
  const std::uint64_t fields = in.varint();
  event.time = in.time();
  event.actor = {in.varint32()};
  if (fields & kHasOther) event.other = {in.varint32()};
  if (fields & kHasPost) event.post = {in.fixed<std::uint64_t>()};
  if (fields & kHasRows) event.rows = in.varint();
  if (fields & kHasOriginal) event.original = {in.fixed<std::uint64_t>()};
  if (fields & kHasComment) event.comment = {in.fixed<std::uint64_t>()};
  if (fields & kHasParent) event.parent = {in.fixed<std::uint64_t>()};
  if (fields & kHasReaction) {
    event.reaction = decode_kind_of_reaction(in, in.fixed<std::uint8_t>());
    event.reaction_before = decode_kind_of_reaction(in, in.fixed<std::uint8_t>());
  }
  event.privacy = static_cast<Privacy>(fields >> kPrivacyShift);
  if (name(event.privacy).empty()) in.broken();
  return event;
}

std::uint8_t encode_fan_out_row(RecordWriter& out, const FanOutRow& row) {
  out.fixed(row.post.value);
  out.fixed(row.author.value);
  out.fixed(row.done_to.value);
  return 0;
}

FanOutRow decode_fan_out_row(Bytes key, Bytes value) {
  RecordReader in(Table::kFanOutQueue, key, value);
  FanOutRow row;
  row.sequence = {u64_at(key)};
  row.post = {in.fixed<std::uint64_t>()};
  row.author = {in.fixed<std::uint32_t>()};
  row.done_to = {in.fixed<std::uint32_t>()};
  return row;
}

}  // namespace chirp::lmdb
