// The tables of the engine's store and their keys. For their bytes, see docs/storage-format.md.
//
// Keys are big-endian, so byte order is the right order. All keys of a table have one length,
// except words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/model/ids.h"
#include "core/model/relation.h"

namespace chirp::lmdb {

using Bytes = std::string_view;

// The only list of the tables, in the order of their numbers: the name here, the name in the store,
// and the key and value. A value without a size is a record (store/lmdb/record.h).
// clang-format off
#define CHIRP_TABLES(T) \
  T(kMeta, "meta")                        /* name(32) -> format, state, plain settings */ \
  T(kCards, "cards")                      /* number(4) -> author card */ \
  T(kUserIds, "user_ids")                 /* user id(8) -> number(4) */ \
  T(kUserSources, "user_sources")         /* source id(8) -> number(4) */ \
  T(kPosts, "posts")                      /* post id(8) -> post */ \
  T(kAuthorLogs, "author_logs")           /* author(4) post id(8) -> nothing */ \
  T(kPostSources, "post_sources")         /* source id(8) -> post id(8) or comment id(8) */ \
  T(kFollowing, "following")              /* follower(4) lower bound(4) -> chunk of followees */ \
  T(kFollowers, "followers")              /* followee(4) lower bound(4) -> chunk of followers */ \
  T(kTimelines, "timelines")              /* viewer(4) -> head of the timeline */ \
  T(kTimelineParts, "timeline_parts")     /* viewer(4) newest id(8) -> older entries */ \
  T(kEvents, "events")                    /* sequence(8) -> event */ \
  T(kFanOutQueue, "fan_out_queue")        /* sequence(8) -> unfinished fan-out */ \
  T(kCounters, "counters")                /* number(4) -> counters */ \
  T(kMarks, "marks")                      /* number(4) -> tier and push-from mark */ \
  T(kPulled, "pulled")                    /* number(4) -> push-from mark(8), if there is one */ \
  T(kRemovals, "removals")                /* number(4) -> nothing: a removal in progress */ \
  T(kRelations, "relations")              /* user(4) kind(4) other(4) -> since when */ \
  T(kRelated, "related")                  /* other(4) kind(4) user(4) -> nothing */ \
  T(kReposts, "reposts")                  /* original(8) reposter(4) -> post id(8) */ \
  T(kReactions, "reactions")              /* content(8) user(4) -> reaction */ \
  T(kReactionsBy, "reactions_by")         /* user(4) content(8) -> author of the content(4) */ \
  T(kComments, "comments")                /* comment id(8) -> comment */ \
  T(kThreads, "threads")                  /* post(8) parent(8) comment(8) -> nothing */ \
  T(kCommentsBy, "comments_by")           /* user(4) comment(8) -> author of the post(4) */ \
  T(kContentCounters, "content_counters") /* content(8) -> counters */ \
  T(kPostRemovals, "post_removals")       /* post id(8) -> nothing: its rows remain */ \
  T(kNotifications, "notifications")      /* user(4) sequence(8) -> notification */ \
  T(kReaders, "readers")                  /* user(4) -> reading marks and a count */ \
  T(kTagUses, "tag_uses")                 /* post id(8) ordinal(4) -> hashtag */ \
  T(kKeys, "keys")                        /* user(4) hash of the key(16) -> idempotency key */ \
  T(kKeyTimes, "key_times")               /* ticks(8) user(4) hash(16) -> nothing */ \
  T(kMediaUses, "media_uses")             /* media id(8) post id(8) -> nothing */ \
  T(kUserWords, "user_words")             /* source id, a word -> number(4) */ \
  T(kPostWords, "post_words")             /* source id, a word -> post id(8) or comment id(8) */ \
  T(kFollowersLogs, "followers_logs")     /* author(4) post id(8) -> nothing */ \
  T(kPrivateLogs, "private_logs")         /* author(4) post id(8) -> nothing */ \
  T(kTagPosts, "tag_posts")               /* hashtag, a zero, post id(8) -> author(4) */ \
  T(kHiddenThreads, "hidden_threads")     /* post(8) parent(8) comment(8) -> nothing */ \
  T(kSpareFollowing, "following_2")       /* spare ones of kPairs */ \
  T(kSpareFollowers, "followers_2") \
  T(kSpareCounters, "counters_2") \
  T(kRebuilt, "rebuilt")                  /* user(4) table(4) [other(4)] -> nothing: for a build */
// clang-format on

#define CHIRP_TABLE_NUMBER(number, name) number,
#define CHIRP_TABLE_NAME(number, name) name,
enum class Table : unsigned { CHIRP_TABLES(CHIRP_TABLE_NUMBER) };
inline constexpr std::array kTableNames{CHIRP_TABLES(CHIRP_TABLE_NAME)};
#undef CHIRP_TABLE_NAME
#undef CHIRP_TABLE_NUMBER
#undef CHIRP_TABLES

inline constexpr std::size_t kTables = kTableNames.size();

// Tables that exist twice. The state record says which of the two is in use. That one has the first
// name, whichever table of the file it is, and its records are sealed for that name. A bulk load
// builds its successor in the spare one.
struct TablePair {
  Table in_use;
  Table spare;
};
inline constexpr std::array<TablePair, 3> kPairs{{{Table::kFollowing, Table::kSpareFollowing},
                                                  {Table::kFollowers, Table::kSpareFollowers},
                                                  {Table::kCounters, Table::kSpareCounters}}};
// Whether a table holds rows of the store, not data of a build.
constexpr bool is_logical(Table table) {
  for (const TablePair& pair : kPairs) {
    if (table == pair.spare) return false;
  }
  return table != Table::kRebuilt;
}

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

// Converts a field of a key to a number.
template <class Tag, class Number>
constexpr Number number_of(StrongId<Tag, Number> id) {
  return id.value;
}
constexpr std::uint32_t number_of(Relation relation) {
  return static_cast<std::uint32_t>(relation);
}
constexpr std::uint32_t number_of(std::uint32_t number) { return number; }

// A key of these fields, concatenated.
template <class... Fields>
constexpr auto key(Fields... fields) {
  Key<(sizeof(number_of(fields)) + ...)> k;
  char* at = k.bytes.data();
  ((store_big_endian(at, number_of(fields)), at += sizeof(number_of(fields))), ...);
  return k;
}

// Throws Error{kCorrupt}.
[[noreturn]] void throw_too_short(Bytes bytes);
// In a damaged file a table may have another table's keys, which are too short for a number. The
// bytes after a key do not belong to it.
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
