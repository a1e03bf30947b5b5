// The tables of the engine's store and their keys. Bytes: docs/storage-format.md.
//
// Keys are big-endian, so plain byte order is our order, and of one length within a table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/model/ids.h"

namespace chirp::lmdb {

using Bytes = std::string_view;

enum class Table : unsigned {
  kMeta,             // name(32)                     -> record: format, state, plain settings
  kCards,            // number(4)                    -> record: author card
  kUserIds,          // user id(8)                   -> number(4)
  kUserSources,      // source id(8)                 -> number(4)
  kPosts,            // post id(8)                   -> record: post
  kAuthorLogs,       // author(4) post id(8)         -> nothing
  kPostSources,      // source id(8)                 -> post id(8) or comment id(8)
  kFollowing,        // follower(4) lower bound(4)   -> record: chunk of followees
  kFollowers,        // followee(4) lower bound(4)   -> record: chunk of followers
  kTimelines,        // viewer(4)                    -> record: head of the timeline
  kTimelineParts,    // viewer(4) newest id(8)       -> record: older entries
  kEvents,           // sequence(8)                  -> record: event
  kFanOutQueue,      // sequence(8)                  -> record: unfinished fan-out
  kCounters,         // number(4)                    -> record: counters
  kMarks,            // number(4)                    -> record: tier and push-from mark
  kPulled,           // number(4)                    -> push-from mark(8), of those that have one
  kRemovals,         // number(4)                    -> nothing: removals that are not finished
  kRelations,        // user(4) kind(4) other(4)     -> record: since when
  kRelated,          // other(4) kind(4) user(4)     -> nothing
  kReposts,          // original(8) reposter(4)      -> post id(8)
  kReactions,        // content(8) user(4)           -> record: reaction
  kReactionsBy,      // user(4) content(8)           -> author of the content(4)
  kComments,         // comment id(8)                -> record: comment
  kThreads,          // post(8) parent(8) comment(8) -> nothing
  kCommentsBy,       // user(4) comment(8)           -> author of the post(4)
  kContentCounters,  // content(8)                 -> record: counters
  kPostRemovals,     // post id(8)                   -> nothing: removed, what hung on it is not yet
  kNotifications,    // user(4) sequence(8)          -> record: notification
  kReaders,          // user(4)                      -> record: how far somebody has read
  kTagUses,          // post id(8) ordinal(4)        -> record: hashtag
  kKeys,             // user(4) hash of the key(16)  -> record: idempotency key
  kKeyTimes,         // ticks(8) user(4) hash(16)    -> nothing
  kMediaUses,        // media id(8) post id(8)       -> nothing
};
inline constexpr std::size_t kTables = 33;

inline constexpr std::array<const char*, kTables> kTableNames{"meta",           "cards",
                                                              "user_ids",       "user_sources",
                                                              "posts",          "author_logs",
                                                              "post_sources",   "following",
                                                              "followers",      "timelines",
                                                              "timeline_parts", "events",
                                                              "fan_out_queue",  "counters",
                                                              "marks",          "pulled",
                                                              "removals",       "relations",
                                                              "related",        "reposts",
                                                              "reactions",      "reactions_by",
                                                              "comments",       "threads",
                                                              "comments_by",    "content_counters",
                                                              "post_removals",  "notifications",
                                                              "readers",        "tag_uses",
                                                              "keys",           "key_times",
                                                              "media_uses"};

// A key of N bytes.
template <std::size_t N>
struct Key {
  std::array<char, N> bytes{};
  [[nodiscard]] operator Bytes() const { return {bytes.data(), N}; }
};

template <class Number>
constexpr void store_big_endian(char* to, Number value) {
  for (std::size_t i = sizeof value; i-- > 0;) {
    to[i] = static_cast<char>(value & 0xFF);
    value = static_cast<Number>(value >> 8);
  }
}
template <class Number>
constexpr Number load_big_endian(const char* from) {
  Number value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i) {
    value = static_cast<Number>((value << 8) | static_cast<unsigned char>(from[i]));
  }
  return value;
}

constexpr Key<4> key(UserNumber user) {
  Key<4> k;
  store_big_endian(k.bytes.data(), user.value);
  return k;
}
template <class Tag>
constexpr Key<8> key(StrongId<Tag, std::uint64_t> id) {
  Key<8> k;
  store_big_endian(k.bytes.data(), id.value);
  return k;
}
template <class Tag>
constexpr Key<12> key(UserNumber user, StrongId<Tag, std::uint64_t> id) {
  Key<12> k;
  store_big_endian(k.bytes.data(), user.value);
  store_big_endian(k.bytes.data() + 4, id.value);
  return k;
}
constexpr Key<8> key(UserNumber user, UserNumber member) {
  Key<8> k;
  store_big_endian(k.bytes.data(), user.value);
  store_big_endian(k.bytes.data() + 4, member.value);
  return k;
}

constexpr Key<12> key(UserNumber user, std::uint32_t kind, UserNumber other) {
  Key<12> k;
  store_big_endian(k.bytes.data(), user.value);
  store_big_endian(k.bytes.data() + 4, kind);
  store_big_endian(k.bytes.data() + 8, other.value);
  return k;
}
template <class Tag>
constexpr Key<12> key(StrongId<Tag, std::uint64_t> id, UserNumber user) {
  Key<12> k;
  store_big_endian(k.bytes.data(), id.value);
  store_big_endian(k.bytes.data() + 8, user.value);
  return k;
}

constexpr Key<24> key(PostId post, CommentId parent, CommentId comment) {
  Key<24> k;
  store_big_endian(k.bytes.data(), post.value);
  store_big_endian(k.bytes.data() + 8, parent.value);
  store_big_endian(k.bytes.data() + 16, comment.value);
  return k;
}

// Throws Error{kCorrupt}.
[[noreturn]] void throw_too_short(Bytes bytes);
// In a damaged file a table may show the keys of another one, which end where a number is looked
// for. What lies behind them is no part of them.
inline const char* reach(Bytes bytes, std::size_t offset, std::size_t size) {
  if (bytes.size() < offset + size) throw_too_short(bytes);
  return bytes.data() + offset;
}
inline UserNumber user_at(Bytes bytes, std::size_t offset = 0) {
  return {load_big_endian<std::uint32_t>(reach(bytes, offset, sizeof(std::uint32_t)))};
}
inline std::uint64_t u64_at(Bytes bytes, std::size_t offset = 0) {
  return load_big_endian<std::uint64_t>(reach(bytes, offset, sizeof(std::uint64_t)));
}

}  // namespace chirp::lmdb
