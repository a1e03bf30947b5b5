// One consistent state of the engine's store, to read from.
//
// Most of what is asked is rows (core/ports/row_reader.h), and what is made of them stands once, in
// core/ports/reads.h. Here is what a store answers better as a whole: what is merged, packed, or
// joined with changes that are yet to be taken in.
//
// Batch-shaped: each call is one step that a remote store answers in one round trip, and all calls
// on one snapshot see the same state. Nothing here is an engine's own type: a snapshot may be a
// transaction, or a time stamp that goes along with each question. Hold one for a request, never
// while writing to a socket, a pipe or a terminal. One thread at a time.
//
// Who needs a part of it asks for that part. An example, who wrote a post and since when they
// follow the reader:
//
//   void tell(const ContentReader& reader, PostId id, UserNumber viewer) {
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

// Where a page starts merging.
struct FeedSources {
  StoreState state;
  bool has_timeline = false;            // exists and is of the state's generation
  PostId complete_from;                 // C(V), if so
  Time last_read;                       // of the timeline, if so
  std::vector<UserNumber> following;    // ascending; without removed users
  std::vector<feed::AuthorMark> marks;  // of the viewer and those followed, who are not
                                        // always pushed; in any order
  std::vector<Entry> pending;  // at least what fan-out has yet to finish of them; newest first
};

// Ids between two bounds, neither of them included.
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
  UserNumber owner = kNobody;  // one of the authors, whose posts of all levels are included

  [[nodiscard]] bool has(UserNumber author, Privacy level) const {
    return author == owner || levels.has(level);
  }
};
// Returns the logs that make the viewer's feed; the viewer may be among the authors.
[[nodiscard]] inline LogsOf feed_logs(std::span<const UserNumber> authors, UserNumber viewer) {
  return {authors, kSharedLevels, viewer};
}

// What a page shows of one author's or one viewer's neighbourhood.
struct EdgePage {
  std::vector<Edge> edges;  // by user number
  bool more = false;
};

// What came with a source id.
struct LoadedContent {
  PostId post;                     // of a repost: its original; of a comment: the post it is under
  CommentId comment = kNoComment;  // if it is one

  bool operator==(const LoadedContent&) const = default;
};

// A reaction and what it is to.
struct ReactionRow {
  ContentId content;
  Reaction reaction;

  bool operator==(const ReactionRow&) const = default;
};

// Posts with whether their authors are there, and what is counted and set with what is pending.
class ContentReader : public RowReader {
 public:
  [[nodiscard]] virtual StoreState state() const = 0;

  // One for each id; empty if the post or its author is gone. Throws Error{kCorrupt} for a record
  // that fails its check.
  [[nodiscard]] virtual std::vector<std::optional<Post>> posts_at(
      std::span<const PostId> ids) const = 0;
  // Stored counts and pending changes together, one for each.
  [[nodiscard]] virtual std::vector<UserCounters> counters(
      std::span<const UserNumber> numbers) const = 0;
  // The same of posts and comments. As stored, like all that hangs on them: what hangs on a removed
  // post, or is by users marked as removed, is there until its traces are gone.
  [[nodiscard]] virtual std::vector<ContentCounters> content_counters(
      std::span<const ContentId> contents) const = 0;
  // How the viewer stands to each of `others`, one for each.
  [[nodiscard]] virtual std::vector<Bond> bonds(UserNumber viewer,
                                                std::span<const UserNumber> others) const = 0;

  [[nodiscard]] std::optional<Post> post(PostId id) const;
  // One for each entry; empty if the post is gone, or not by whom the entry says.
  [[nodiscard]] std::vector<std::optional<Post>> posts(std::span<const Entry> entries) const;
};

// What a page of a feed is merged from.
class FeedReader {
 public:
  virtual ~FeedReader() = default;

  // A viewer who has no card, or is marked as removed, has nothing to merge: the state is all that
  // is filled in.
  [[nodiscard]] virtual FeedSources feed_sources(UserNumber viewer) const = 0;
  // Entries of the viewer's stored timeline in the range, at most `limit`, newest first (kDown) or
  // oldest first (kUp); as stored, unfiltered. Empty without a timeline.
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

// For doctor, upkeep and statistics.
class Inspection {
 public:
  virtual ~Inspection() = default;

  // The whole timeline as stored, valid or not; empty if there is none.
  [[nodiscard]] virtual std::optional<Timeline> timeline(UserNumber viewer) const = 0;
  // Who has one, in ascending order from above `after`, at most `limit`.
  [[nodiscard]] virtual std::vector<UserNumber> scan_timelines(UserNumber after,
                                                               std::uint32_t limit) const = 0;
  // When the oldest idempotency key that is kept was first used.
  [[nodiscard]] virtual std::optional<Time> oldest_key() const = 0;
  // What is kept of a user besides the card, by name: "posts", "follows", … Nothing of whose
  // removal is finished.
  [[nodiscard]] virtual std::vector<std::string_view> traces_of(UserNumber user) const = 0;
  // Rows a table, by table name; `cards`, `posts`, `reposts`, `reactions`, `comments`, `follows`,
  // `timelines` and `events` are among them in every store.
  [[nodiscard]] virtual std::map<std::string, std::uint64_t> table_rows() const = 0;
  // Damage that only the store itself can see (an index that names no record, a broken chunk), one
  // line each.
  [[nodiscard]] virtual std::vector<std::string> problems() const = 0;
  // The same by a walk over this snapshot, which may go through several states. What needs one
  // state of everything is read in one.
  [[nodiscard]] virtual std::vector<std::string> problems_on(Walk& /*walk*/) { return problems(); }

  // Goes on in the newest state, as a snapshot does that is made now. False, and nothing is
  // changed, where a store keeps nothing for the sake of a snapshot.
  virtual bool renew() { return false; }
  // Returns the bytes that later commits have set free and that can't be used again as long as this
  // state is held.
  [[nodiscard]] virtual std::uint64_t held_back() const { return 0; }
};

class Snapshot : public ContentReader, public FeedReader, public Inspection {};

}  // namespace chirp
