// Records of posts, comments and reactions, and of their counters.
#include <algorithm>
#include <span>

#include "core/limits.h"
#include "store/lmdb/records.h"
#include "store/lmdb/source_ids.h"

namespace chirp::lmdb {
namespace {

constexpr std::uint8_t kPostPrivacyBits = 3;
constexpr std::uint8_t kPostHasTime = 4;  // the creation time differs from the id's
constexpr std::uint8_t kPostIsRepost = 16;
constexpr std::uint8_t kPostHasMedia = 32;
constexpr std::uint8_t kPostHasAlt = 128;  // at least one of its media has alt text
constexpr SourceFlags kPostSource{.number = 8, .word = 64};

void put_media(RecordWriter& record, std::span<const Medium> media) {
  record.varint(media.size());
  for (const Medium& medium : media) {
    record.fixed(medium.upload.value);
    if (medium.upload == MediaId{}) record.text(medium.address);
  }
}

std::vector<Medium> decode_media(RecordReader& in) {
  const std::uint64_t count = in.varint();
  if (count == 0 || count > limits::kPostMediaMax) in.broken();
  std::vector<Medium> media(count);
  for (Medium& medium : media) {
    medium.upload = {in.fixed<std::uint64_t>()};
    if (medium.upload == MediaId{}) medium.address = in.text();
  }
  return media;
}

bool has_alt(std::span<const Medium> media) {
  return std::ranges::any_of(media, [](const Medium& medium) { return !medium.alt_text.empty(); });
}

void put_alt_texts(RecordWriter& record, std::span<const Medium> media) {
  for (const Medium& medium : media) record.text(medium.alt_text);
}

void decode_alt_texts(RecordReader& in, std::span<Medium> media) {
  for (Medium& medium : media) medium.alt_text = in.text();
  if (!has_alt(media)) in.broken();
}

constexpr std::uint8_t kCommentRemoved = 1;
constexpr std::uint8_t kCommentHasTime = 2;  // the creation time differs from the id's
constexpr std::uint8_t kCommentHasParent = 8;
constexpr SourceFlags kCommentSource{.number = 4, .word = 16};

}  // namespace

Post decode_post(Bytes key, Bytes value) {
  RecordReader in(Table::kPosts, key, value);
  Post post;
  post.id = {u64_at(key)};
  post.author = {in.varint32()};
  post.privacy = static_cast<Privacy>(in.flags() & kPostPrivacyBits);
  if (name(post.privacy).empty()) in.broken();
  post.created_at = in.flags() & kPostHasTime ? in.time() : snowflake::time_of(post.id.value);
  post.source = read_source(in, kPostSource);
  if (in.flags() & kPostIsRepost) {
    post.original = {in.fixed<std::uint64_t>()};
    if (!post.is_repost()) in.broken();
    post.original_author = {in.varint32()};
  }
  if (in.flags() & kPostHasMedia) post.media = decode_media(in);
  if (in.flags() & kPostHasAlt) decode_alt_texts(in, post.media);
  post.text = in.rest();
  return post;
}

std::uint8_t encode_post(RecordWriter& out, const Post& post) {
  out.varint(post.author.value);
  const bool has_time = snowflake::time_of(post.id.value) != post.created_at;
  if (has_time) out.zigzag(post.created_at.ms - snowflake::kEpochMs);
  put_source(out, post.source);
  if (post.is_repost()) {
    out.fixed(post.original.value);
    out.varint(post.original_author.value);
  }
  if (!post.media.empty()) put_media(out, post.media);
  if (has_alt(post.media)) put_alt_texts(out, post.media);
  out.raw(post.text);
  return static_cast<std::uint8_t>(
      static_cast<unsigned>(post.privacy) | (has_time ? kPostHasTime : 0u) |
      kPostSource.of(post.source) | (post.is_repost() ? kPostIsRepost : 0u) |
      (post.media.empty() ? 0u : kPostHasMedia) | (has_alt(post.media) ? kPostHasAlt : 0u));
}

Comment decode_comment(Bytes key, Bytes value) {
  RecordReader in(Table::kComments, key, value);
  Comment comment;
  comment.id = {u64_at(key)};
  comment.post = {in.fixed<std::uint64_t>()};
  comment.author = {in.varint32()};
  comment.created_at =
      in.flags() & kCommentHasTime ? in.time() : snowflake::time_of(comment.id.value);
  comment.source = read_source(in, kCommentSource);
  if (in.flags() & kCommentHasParent) {
    comment.parent = {in.fixed<std::uint64_t>()};
    if (comment.parent == kNoComment) in.broken();
  }
  comment.state = in.flags() & kCommentRemoved ? CommentState::kRemoved : CommentState::kThere;
  comment.text = in.rest();
  return comment;
}

std::uint8_t encode_comment(RecordWriter& out, const Comment& comment) {
  out.fixed(comment.post.value);
  out.varint(comment.author.value);
  const bool has_time = snowflake::time_of(comment.id.value) != comment.created_at;
  if (has_time) out.zigzag(comment.created_at.ms - snowflake::kEpochMs);
  put_source(out, comment.source);
  if (comment.parent != kNoComment) out.fixed(comment.parent.value);
  out.raw(comment.text);
  return static_cast<std::uint8_t>(
      (comment.state == CommentState::kRemoved ? kCommentRemoved : 0u) |
      (has_time ? kCommentHasTime : 0u) | kCommentSource.of(comment.source) |
      (comment.parent != kNoComment ? kCommentHasParent : 0u));
}

Reaction decode_reaction(Bytes key, Bytes value) {
  RecordReader in(Table::kReactions, key, value);
  Reaction reaction;
  reaction.user = user_at(key, 8);
  reaction.type = static_cast<ReactionType>(in.flags());
  reaction.since = in.time();
  reaction.event = {in.varint()};
  if (name(reaction.type).empty()) in.broken();
  return reaction;
}

std::uint8_t encode_reaction(RecordWriter& out, const Reaction& reaction) {
  out.zigzag(reaction.since.ms - snowflake::kEpochMs);
  out.varint(reaction.event.value);
  return static_cast<std::uint8_t>(reaction.type);
}

ContentCounters decode_content_counters(Bytes key, Bytes value) {
  RecordReader in(Table::kContentCounters, key, value);
  ContentCounters counters;
  for (std::int64_t& of_type : counters.reactions) of_type = in.zigzag();
  counters.comments = in.zigzag();
  counters.reposts = in.zigzag();
  return counters;
}

std::uint8_t encode_content_counters(RecordWriter& out, const ContentCounters& counters) {
  for (const std::int64_t of_type : counters.reactions) out.zigzag(of_type);
  out.zigzag(counters.comments);
  out.zigzag(counters.reposts);
  return 0;
}

}  // namespace chirp::lmdb
