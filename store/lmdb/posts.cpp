#include "store/lmdb/posts.h"

#include <algorithm>

#include "core/limits.h"

namespace chirp::lmdb {
namespace {

constexpr std::uint8_t kPrivacyBits = 3;
constexpr std::uint8_t kHasTime = 4;  // the time of writing is not the id's
constexpr std::uint8_t kHasSource = 8;
constexpr std::uint8_t kIsRepost = 16;
constexpr std::uint8_t kHasMedia = 32;

// Walks one author's log from a bound on, one entry at a time, with a cursor it shares.
class LogHead {
 public:
  LogHead(UserNumber author, IdRange range) : author_(author), range_(range) {}

  // Moves to the next entry; false at the end.
  bool advance(Cursor& cursor, Direction direction) {
    if (direction == Direction::kDown) {
      const auto item = cursor.before(key(author_, range_.below));
      if (!holds(item)) return false;
      id_ = {u64_at(item->key, 4)};
      range_.below = id_;
      return id_ > range_.above;
    }
    if (range_.above == kAboveAllPosts) return false;
    const auto item = cursor.at_or_after(key(author_, PostId{range_.above.value + 1}));
    if (!holds(item)) return false;
    id_ = {u64_at(item->key, 4)};
    range_.above = id_;
    return id_ < range_.below;
  }
  [[nodiscard]] Entry entry() const { return {id_, author_, Origin::kPushed}; }
  [[nodiscard]] PostId id() const { return id_; }

 private:
  [[nodiscard]] bool holds(const std::optional<Item>& item) const {
    return item && user_at(item->key) == author_;
  }

  UserNumber author_;
  IdRange range_;
  PostId id_;
};

void put_media(RecordWriter& record, std::span<const Medium> media) {
  record.varint(media.size());
  for (const Medium& medium : media) {
    record.fixed(medium.upload.value);
    if (medium.upload == MediaId{}) record.text(medium.address);
  }
}

std::vector<Medium> decode_media(RecordReader& in) {
  const std::uint64_t count = in.varint();
  if (count > limits::kPostMediaMax) in.broken();
  std::vector<Medium> media(count);
  for (Medium& medium : media) {
    medium.upload = {in.fixed<std::uint64_t>()};
    if (medium.upload == MediaId{}) medium.address = in.text();
  }
  return media;
}

}  // namespace

Post decode_post(Bytes key, Bytes value) {
  RecordReader in(Table::kPosts, key, value);
  Post post;
  post.id = {u64_at(key)};
  post.author = {in.varint32()};
  post.privacy = static_cast<Privacy>(in.flags() & kPrivacyBits);
  if (name(post.privacy).empty()) in.broken();
  post.created_at = in.flags() & kHasTime ? in.time() : snowflake::time_of(post.id.value);
  if (in.flags() & kHasSource) post.source = SourceId{in.fixed<std::uint64_t>()};
  if (in.flags() & kIsRepost) {
    post.original = {in.fixed<std::uint64_t>()};
    post.original_author = {in.varint32()};
  }
  if (in.flags() & kHasMedia) post.media = decode_media(in);
  post.text = in.rest();
  return post;
}

Key<16> media_use(MediaId upload, PostId post) {
  Key<16> k;
  store_big_endian(k.bytes.data(), upload.value);
  store_big_endian(k.bytes.data() + 8, post.value);
  return k;
}

std::uint8_t encode_post(RecordWriter& out, const Post& post) {
  out.varint(post.author.value);
  const bool has_time = snowflake::time_of(post.id.value) != post.created_at;
  if (has_time) out.zigzag(post.created_at.ms - snowflake::kEpochMs);
  if (post.source) out.fixed(post.source->value);
  if (post.is_repost()) {
    out.fixed(post.original.value);
    out.varint(post.original_author.value);
  }
  if (!post.media.empty()) put_media(out, post.media);
  out.raw(post.text);
  return static_cast<std::uint8_t>(static_cast<unsigned>(post.privacy) |
                                   (has_time ? kHasTime : 0u) | (post.source ? kHasSource : 0u) |
                                   (post.is_repost() ? kIsRepost : 0u) |
                                   (post.media.empty() ? 0u : kHasMedia));
}

std::vector<Entry> merged_logs(const Txn& txn, std::span<const UserNumber> authors, IdRange range,
                               Direction direction, std::uint32_t limit) {
  Cursor cursor(txn, Table::kAuthorLogs);
  std::vector<LogHead> heads;
  heads.reserve(authors.size());
  for (const UserNumber author : authors) {
    LogHead head(author, range);
    if (head.advance(cursor, direction)) heads.push_back(head);
  }
  const auto later = [&](const LogHead& a, const LogHead& b) {
    return direction == Direction::kDown ? a.id() < b.id() : a.id() > b.id();
  };
  std::make_heap(heads.begin(), heads.end(), later);
  std::vector<Entry> entries;
  while (!heads.empty() && entries.size() < limit) {
    std::pop_heap(heads.begin(), heads.end(), later);
    entries.push_back(heads.back().entry());
    if (heads.back().advance(cursor, direction)) {
      std::push_heap(heads.begin(), heads.end(), later);
    } else {
      heads.pop_back();
    }
  }
  return entries;
}

}  // namespace chirp::lmdb
