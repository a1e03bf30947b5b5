#include "store/lmdb/comments.h"

namespace chirp::lmdb {
namespace {

constexpr std::uint8_t kRemoved = 1;
constexpr std::uint8_t kHasTime = 2;  // the time of writing is not the id's
constexpr std::uint8_t kHasSource = 4;
constexpr std::uint8_t kHasParent = 8;

}  // namespace

Comment decode_comment(Bytes key, Bytes value) {
  RecordReader in(Table::kComments, key, value);
  Comment comment;
  comment.id = {u64_at(key)};
  comment.post = {in.fixed<std::uint64_t>()};
  comment.author = {in.varint32()};
  comment.created_at = in.flags() & kHasTime ? in.time() : snowflake::time_of(comment.id.value);
  if (in.flags() & kHasSource) comment.source = SourceId{in.fixed<std::uint64_t>()};
  if (in.flags() & kHasParent) comment.parent = {in.fixed<std::uint64_t>()};
  comment.state = in.flags() & kRemoved ? CommentState::kRemoved : CommentState::kThere;
  comment.text = in.rest();
  return comment;
}

std::uint8_t encode_comment(RecordWriter& out, const Comment& comment) {
  out.fixed(comment.post.value);
  out.varint(comment.author.value);
  const bool has_time = snowflake::time_of(comment.id.value) != comment.created_at;
  if (has_time) out.zigzag(comment.created_at.ms - snowflake::kEpochMs);
  if (comment.source) out.fixed(comment.source->value);
  if (comment.parent != kNoComment) out.fixed(comment.parent.value);
  out.raw(comment.text);
  return static_cast<std::uint8_t>((comment.state == CommentState::kRemoved ? kRemoved : 0u) |
                                   (has_time ? kHasTime : 0u) | (comment.source ? kHasSource : 0u) |
                                   (comment.parent != kNoComment ? kHasParent : 0u));
}

}  // namespace chirp::lmdb
