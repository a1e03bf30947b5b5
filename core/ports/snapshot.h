// A consistent, read-only state of the engine's store.
//
// Most reads are of rows (core/ports/row_reader.h); core/ports/reads.h has those that several
// places need. This interface has the reads that a store answers better as a whole: merged, packed,
// or combined with pending changes.
//
// A remote store answers each call in one round trip, so calls take batches. All calls on one
// snapshot see the same state. A snapshot may be a transaction, or a time stamp that is sent with
// each query. Hold one for a request, never while writing to a socket, a pipe or a terminal. One
// thread at a time.
//
// Code that needs a part of this interface takes that part. Example, the author of a post, and
// since when they follow the reader:
//
//   void print(const ContentReader& reader, PostId id, UserNumber viewer) {
//     const auto post = reader.post(id);
//     if (!post) return;
//     const auto since = reader.find(tables::Following::Key{post->author, viewer});
//   }
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/comment.h"
#include "core/model/event.h"
#include "core/model/notification.h"
#include "core/model/policy.h"
#include "core/model/post.h"
#include "core/model/reaction.h"
#include "core/model/reading.h"
#include "core/model/relation.h"
#include "core/model/timeline.h"
#include "core/model/trend.h"
#include "core/model/user.h"
#include "core/ports/row_reader.h"
#include "core/ports/store_state.h"

namespace chirp {

class Walk;

// The sources from which a page of a feed is merged.
struct FeedSources {
  StoreState state;
  bool has_timeline = false;            // exists and is of the store's generation
  PostId complete_from;                 // C(V), if there is a timeline
  Time last_read;                       // the timeline's, if there is one
  std::vector<UserNumber> following;    // ascending; without removed users
  std::vector<feed::AuthorMark> marks;  // the viewer's and followees'; unsorted
  std::vector<Entry> pending;  // entries that fan-out has not finished, maybe more; newest first
};

// Ids between two exclusive bounds.
struct IdRange {
  PostId above = kBelowAllPosts;  // exclusive
  PostId below = kAboveAllPosts;  // exclusive
};

// Selects the logs to merge: the authors and the privacy levels of their posts and reposts.
struct LogsOf {
  LogsOf() = default;
  LogsOf(std::span<const UserNumber> all, Levels some = kAllLevels, UserNumber whole = kNobody)
      : authors(all), levels(some), owner(whole) {}
  LogsOf(const std::vector<UserNumber>& all) : authors(all) {}
  LogsOf(const UserNumber* first, std::size_t count) : authors(first, count) {}

  std::span<const UserNumber> authors;  // ascending, unique
  Levels levels = kAllLevels;
  UserNumber owner = kNobody;  // one of the authors; their posts of all levels are included

  [[nodiscard]] bool has(UserNumber author, Privacy level) const {
    return author == owner || levels.has(level);
  }
};
// Returns the logs that make the viewer's feed; the viewer may be among the authors.
[[nodiscard]] inline LogsOf feed_logs(std::span<const UserNumber> authors, UserNumber viewer) {
  return {authors, kSharedLevels, viewer};
}

// One page of a user's follows, followers, blocks or mutes.
struct EdgePage {
  std::vector<Edge> edges;  // by user number
  bool more = false;
};

// The post or comment with a given source id.
struct LoadedContent {
  PostId post;                     // for a repost: the original; for a comment: its post
  CommentId comment = kNoComment;  // set for a comment

  bool operator==(const LoadedContent&) const = default;
};

// A reaction with its target.
struct ReactionRow {
  ContentId content;
  Reaction reaction;

  bool operator==(const ReactionRow&) const = default;
};

// Posts of existing authors, and counters and relations that include pending changes.
class ContentReader : public RowReader {
 public:
  [[nodiscard]] virtual StoreState state() const = 0;

  // One for each id; empty if the post or its author is gone. Throws Error{kCorrupt} for a damaged
  // record.
  [[nodiscard]] virtual std::vector<std::optional<Post>> posts_at(
      std::span<const PostId> ids) const = 0;
  // Stored counters plus pending changes, one for each.
  [[nodiscard]] virtual std::vector<UserCounters> counters(
      std::span<const UserNumber> numbers) const = 0;
  // The same for posts and comments, as stored: what belongs to a removed post, or to users marked
  // as removed, is counted until its traces are gone.
  [[nodiscard]] virtual std::vector<ContentCounters> content_counters(
      std::span<const ContentId> contents) const = 0;
  // The viewer's relation to each of `others`.
  [[nodiscard]] virtual std::vector<ViewerRelation> bonds(
      UserNumber viewer, std::span<const UserNumber> others) const = 0;

  [[nodiscard]] std::optional<Post> post(PostId id) const;
  // One for each entry; empty if the post is gone or has another author than the entry.
  [[nodiscard]] std::vector<std::optional<Post>> posts(std::span<const Entry> entries) const;
};

// The reads that a page of a feed needs.
class FeedReader {
 public:
  virtual ~FeedReader() = default;

  // For a viewer who has no card or is marked as removed, only the state is filled in.
  [[nodiscard]] virtual FeedSources feed_sources(UserNumber viewer) const = 0;
  // Entries of the viewer's stored timeline in the range, at most `limit`, newest first (kDown) or
  // oldest first (kUp); as stored, unfiltered. Empty if there is no timeline.
  [[nodiscard]] virtual std::vector<Entry> timeline_entries(UserNumber viewer, IdRange range,
                                                            Direction direction,
                                                            std::uint32_t limit) const = 0;
  // Merges these logs. Returns the `limit` entries nearest below `range.below`, newest first
  // (kDown), or nearest above `range.above`, oldest first (kUp). Returns fewer than `limit` only at
  // the end of the range. Removed authors count as empty.
  [[nodiscard]] virtual std::vector<Entry> author_entries(const LogsOf& logs, IdRange range,
                                                          Direction direction,
                                                          std::uint32_t limit) const = 0;
};

// For the doctor, upkeep and statistics.
class Inspection {
 public:
  virtual ~Inspection() = default;

  // The whole stored timeline, valid or not; empty if it is missing.
  [[nodiscard]] virtual std::optional<Timeline> timeline(UserNumber viewer) const = 0;
  // Users with a timeline, ascending, above `after`, at most `limit`.
  [[nodiscard]] virtual std::vector<UserNumber> scan_timelines(UserNumber after,
                                                               std::uint32_t limit) const = 0;
  // When the oldest stored idempotency key was first used.
  [[nodiscard]] virtual std::optional<Time> oldest_key() const = 0;
  // The kinds of rows stored for a user besides the card: "posts", "follows", … Empty once the
  // user's removal is finished.
  [[nodiscard]] virtual std::vector<std::string_view> traces_of(UserNumber user) const = 0;
  // Number of rows by table name. Every store has `cards`, `posts`, `reposts`, `reactions`,
  // `comments`, `follows`, `timelines` and `events`.
  [[nodiscard]] virtual std::map<std::string, std::uint64_t> table_rows() const = 0;
  // Damage that only the store itself can see (an index entry without a record, a broken chunk),
  // one line each.
  [[nodiscard]] virtual std::vector<std::string> problems() const = 0;
  // The same by a walk over this snapshot, which may use several states. Checks that need one state
  // of everything use one.
  [[nodiscard]] virtual std::vector<std::string> problems_on(Walk& /*walk*/) { return problems(); }

  // Moves to the newest state, like a new snapshot. Returns false and changes nothing if the store
  // holds no resources for a snapshot.
  virtual bool renew() { return false; }
  // Returns the bytes freed by later commits that can't be reused while this state is held.
  [[nodiscard]] virtual std::uint64_t held_back() const { return 0; }
};

class Snapshot : public ContentReader, public FeedReader, public Inspection {};

}  // namespace chirp
