// Records of users, their relations, counters, marks, notifications and settings.
#include "store/lmdb/records.h"
#include "store/lmdb/source_ids.h"

namespace chirp::lmdb {
namespace {

constexpr std::uint8_t kCardRemoved = 1;
constexpr std::uint8_t kCardHasPicture = 4;
constexpr std::uint8_t kCardSuspended = 16;
constexpr SourceFlags kCardSource{.number = 2, .word = 8};
constexpr std::uint8_t kToldHasPost = 1;
constexpr std::uint8_t kToldHasComment = 2;
constexpr std::uint8_t kToldHasParent = 4;
constexpr std::uint8_t kReaderHasFeed = 1;

Presence presence_in(std::uint8_t flags) {
  if (flags & kCardRemoved) return Presence::kRemoved;
  return flags & kCardSuspended ? Presence::kSuspended : Presence::kPresent;
}

}  // namespace

AuthorCard decode_card(Bytes key, Bytes value) {
  RecordReader in(Table::kCards, key, value);
  AuthorCard card;
  card.number = user_at(key);
  card.presence = presence_in(in.flags());
  card.id = {in.fixed<std::uint64_t>()};
  card.source = read_source(in, kCardSource);
  if (in.flags() & kCardHasPicture) card.picture = {in.fixed<std::uint64_t>()};
  card.username = in.text();
  // A display name equal to the username, as most are, is stored as an empty text.
  const Bytes display = in.text();
  card.display_name = display.empty() ? card.username : display;
  return card;
}

Presence presence_of(const Item& card) {
  return presence_in(RecordReader(Table::kCards, card.key, card.value).flags());
}

std::uint8_t encode_card(RecordWriter& out, const AuthorCard& card) {
  out.fixed(card.id.value);
  put_source(out, card.source);
  if (card.picture != MediaId{}) out.fixed(card.picture.value);
  out.text(card.username);
  out.text(card.display_name == card.username ? Bytes{} : Bytes(card.display_name));
  return static_cast<std::uint8_t>((card.presence == Presence::kRemoved ? kCardRemoved : 0u) |
                                   (card.presence == Presence::kSuspended ? kCardSuspended : 0u) |
                                   kCardSource.of(card.source) |
                                   (card.picture != MediaId{} ? kCardHasPicture : 0u));
}

Time decode_since(Bytes key, Bytes value) {
  RecordReader in(Table::kRelations, key, value);
  return in.time();
}

std::uint8_t encode_since(RecordWriter& out, Time since) {
  out.zigzag(since.ms - snowflake::kEpochMs);
  return 0;
}

UserCounters decode_counters(Bytes key, Bytes value) {
  RecordReader in(Table::kCounters, key, value);
  UserCounters counters;
  counters.followers = in.zigzag();
  counters.following = in.zigzag();
  counters.posts = in.zigzag();
  return counters;
}

std::uint8_t encode_counters(RecordWriter& out, const UserCounters& counters) {
  out.zigzag(counters.followers);
  out.zigzag(counters.following);
  out.zigzag(counters.posts);
  return 0;
}

std::uint8_t encode_mark(RecordWriter& out, const feed::AuthorMark& mark) {
  out.fixed(static_cast<std::uint8_t>(mark.tier));
  out.fixed(mark.push_from.value);
  return 0;
}

feed::AuthorMark decode_mark(Bytes key, Bytes value) {
  RecordReader in(Table::kMarks, key, value);
  feed::AuthorMark mark;
  mark.author = user_at(key);
  mark.tier = static_cast<feed::Tier>(in.fixed<std::uint8_t>());
  mark.push_from = {in.fixed<std::uint64_t>()};
  if (feed::name(mark.tier).empty()) in.broken();
  return mark;
}

events::Notification decode_notification(Bytes key, Bytes value) {
  RecordReader in(Table::kNotifications, key, value);
  events::Notification told;
  told.user = user_at(key);
  told.sequence = {u64_at(key, 4)};
  told.topic = static_cast<events::Topic>(in.fixed<std::uint8_t>());
  told.time = in.time();
  told.actor = {in.varint32()};
  if (in.flags() & kToldHasPost) told.post = {in.fixed<std::uint64_t>()};
  if (in.flags() & kToldHasComment) told.comment = {in.fixed<std::uint64_t>()};
  if (in.flags() & kToldHasParent) told.parent = {in.fixed<std::uint64_t>()};
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
  return static_cast<std::uint8_t>((told.post != PostId{} ? kToldHasPost : 0) |
                                   (told.comment != kNoComment ? kToldHasComment : 0) |
                                   (told.parent != kNoComment ? kToldHasParent : 0));
}

tables::Readers::Row decode_reader(Bytes key, Bytes value) {
  RecordReader in(Table::kReaders, key, value);
  tables::Readers::Row reader;
  reader.notified = {in.varint()};
  reader.notifications = in.varint();
  if (in.flags() & kReaderHasFeed) reader.feed = PostId{in.fixed<std::uint64_t>()};
  return reader;
}

std::uint8_t encode_reader(RecordWriter& out, const tables::Readers::Row& reader) {
  out.varint(reader.notified.value);
  out.varint(reader.notifications);
  if (reader.feed) out.fixed(reader.feed->value);
  return reader.feed ? kReaderHasFeed : std::uint8_t{0};
}

std::uint8_t encode_setting(RecordWriter& out, const std::string& value) {
  out.raw(value);
  return 0;
}

std::string decode_setting(Bytes key, Bytes value) {
  return std::string(RecordReader(Table::kMeta, key, value).rest());
}

}  // namespace chirp::lmdb
