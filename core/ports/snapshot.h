// One consistent state of the engine's store, to read from.
//
// Batch-shaped: each call is one step that a remote store answers in one round trip, and all calls
// on one snapshot see the same state. Nothing here is an engine's own type: a snapshot may be a
// transaction, or a time stamp that goes along with each question. Hold one for a request, never
// while writing to a socket, a pipe or a terminal. One thread at a time.
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
#include "core/ports/store_state.h"

namespace chirp {

// Where a page starts merging.
struct FeedSources {
  StoreState state;
  bool has_timeline = false;            // exists and is of the state's generation
  PostId complete_from;                 // C(V), if so
  Time last_read;                       // of the timeline, if so
  std::vector<UserNumber> following;    // ascending; without removed users
  std::vector<feed::AuthorMark> marks;  // of the viewer and those followed, who are not
                                        // always pushed; in any order
  std::vector<Entry> pending;  // posts by them that fan-out has yet to finish; newest first
};

// Ids strictly between two bounds.
struct IdRange {
  PostId above = kBelowAllPosts;  // exclusive
  PostId below = kAboveAllPosts;  // exclusive
};

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

class Snapshot {
 public:
  virtual ~Snapshot() = default;

  [[nodiscard]] virtual StoreState state() const = 0;

  // ---- users
  // One for each number asked for; empty if there is no card.
  [[nodiscard]] virtual std::vector<std::optional<AuthorCard>> cards(
      std::span<const UserNumber> numbers) const = 0;
  [[nodiscard]] virtual std::optional<UserNumber> number_of(UserId id) const = 0;
  // Who has come with these ids in a load and is present.
  [[nodiscard]] virtual std::vector<std::optional<UserNumber>> numbers_of(
      std::span<const SourceId> sources) const = 0;
  // Stored counts and pending changes together.
  [[nodiscard]] virtual std::vector<UserCounters> counters(
      std::span<const UserNumber> numbers) const = 0;
  [[nodiscard]] virtual std::optional<feed::AuthorMark> mark(UserNumber author) const = 0;

  // ---- posts
  // One for each entry; empty if the post or its author is gone. Throws Error{kCorrupt} for a
  // record that fails its check.
  [[nodiscard]] virtual std::vector<std::optional<Post>> posts(
      std::span<const Entry> entries) const = 0;
  [[nodiscard]] virtual std::optional<Post> post(PostId id) const = 0;
  // What of these ids of a load is there, by authors who are.
  [[nodiscard]] virtual std::vector<std::optional<LoadedContent>> contents_of(
      std::span<const SourceId> sources) const = 0;
  // The author logs of `authors` (ascending, no one twice) merged: the `limit` entries nearest
  // below `range.below`, newest first (kDown), or nearest above `range.above`, oldest first (kUp).
  // Fewer than `limit` only when there are no more in the range. Removed authors count as empty.
  [[nodiscard]] virtual std::vector<Entry> author_entries(std::span<const UserNumber> authors,
                                                          IdRange range, Direction direction,
                                                          std::uint32_t limit) const = 0;

  // ---- reposts
  // Of each post (originals, not reposts) the user's repost, if there is one; as stored.
  [[nodiscard]] virtual std::vector<std::optional<PostId>> reposts_by(
      UserNumber user, std::span<const PostId> originals) const = 0;
  // Reposts of a post by users above `after`, by user, at most `limit`; as stored: those of users
  // marked as removed are among them until their traces are gone.
  [[nodiscard]] virtual std::vector<Entry> reposts(PostId original, UserNumber after,
                                                   std::uint32_t limit) const = 0;

  // ---- reactions, comments and what is counted of them; all as stored: what hangs on a removed
  // post, or is by users marked as removed, is there until its traces are gone
  // Stored counts and pending changes together, one for each.
  [[nodiscard]] virtual std::vector<ContentCounters> content_counters(
      std::span<const ContentId> contents) const = 0;
  // The user's reaction to each of `contents`, if there is one.
  [[nodiscard]] virtual std::vector<std::optional<Reaction>> reactions_of(
      UserNumber user, std::span<const ContentId> contents) const = 0;
  // By users above `after`, by user, at most `limit`; of one type alone, if it is given.
  [[nodiscard]] virtual std::vector<Reaction> reactions(ContentId content, UserNumber after,
                                                        std::optional<ReactionType> type,
                                                        std::uint32_t limit) const = 0;
  [[nodiscard]] virtual std::vector<std::optional<Comment>> comments(
      std::span<const CommentId> ids) const = 0;
  // Direct replies to `parent` under the post, or the comments at its top (kNoComment), removed
  // ones among them: from below `bound` down, newest first, or from above it up, oldest first.
  [[nodiscard]] virtual std::vector<CommentId> thread(PostId post, CommentId parent,
                                                      CommentId bound, Direction direction,
                                                      std::uint32_t limit) const = 0;
  // Whose posts and comments the user has reacted to or commented on: one for each of the newest
  // such contents and comments, newest first, themselves among them.
  [[nodiscard]] virtual std::vector<UserNumber> recent_partners(UserNumber user,
                                                                std::uint32_t limit) const = 0;

  // ---- edges
  // As stored: edges of users marked as removed are there until their traces are gone.
  [[nodiscard]] virtual EdgePage following(UserNumber user, UserNumber after,
                                           std::uint32_t limit) const = 0;
  [[nodiscard]] virtual EdgePage followers(UserNumber user, UserNumber after,
                                           std::uint32_t limit) const = 0;
  // When `follower` began to follow `followee`; empty if they do not.
  [[nodiscard]] virtual std::optional<Time> follows(UserNumber follower,
                                                    UserNumber followee) const = 0;

  // ---- media
  // For each upload whether a post names it.
  [[nodiscard]] virtual std::vector<bool> media_named(std::span<const MediaId> uploads) const = 0;

  // ---- relations
  // How the viewer stands to each of `others`, one for each.
  [[nodiscard]] virtual std::vector<Bond> bonds(UserNumber viewer,
                                                std::span<const UserNumber> others) const = 0;
  // Whom the user has blocked, muted, or switched the reposts off of; as stored, like edges.
  [[nodiscard]] virtual EdgePage related(UserNumber user, Relation relation, UserNumber after,
                                         std::uint32_t limit) const = 0;

  // ---- feeds
  // Of a viewer without a card, or a removed one: the state alone.
  [[nodiscard]] virtual FeedSources feed_sources(UserNumber viewer) const = 0;
  // Entries of the viewer's stored timeline in the range, at most `limit`, newest first (kDown) or
  // oldest first (kUp); as stored, unfiltered. Empty without a timeline.
  [[nodiscard]] virtual std::vector<Entry> timeline_entries(UserNumber viewer, IdRange range,
                                                            Direction direction,
                                                            std::uint32_t limit) const = 0;

  // ---- notifications
  // What is stored of a user's notifications below `before`, newest first, at most `limit`: whether
  // each still holds is for the reader to decide.
  [[nodiscard]] virtual std::vector<events::Notification> notifications(
      UserNumber user, Sequence before, std::uint32_t limit) const = 0;
  // The newest event of which the user has read; 0 of who has read of none.
  [[nodiscard]] virtual Sequence notified(UserNumber user) const = 0;

  // ---- hashtags
  // Posts below `below` that carry any, newest first, at most `limit`: public ones that are there,
  // of authors marked as removed too.
  [[nodiscard]] virtual std::vector<TaggedPost> tagged_posts(PostId below,
                                                             std::uint32_t limit) const = 0;
  [[nodiscard]] virtual std::optional<PostId> oldest_tagged_post() const = 0;

  // ---- settings
  // Free-form settings outside feeds, by key.
  [[nodiscard]] virtual std::map<std::string, std::string> plain_settings() const = 0;

  // ---- idempotency keys
  // When the oldest that is kept was first used.
  [[nodiscard]] virtual std::optional<Time> oldest_key() const = 0;
  // How far the user has read; empty for who has never said so.
  [[nodiscard]] virtual ReadingMarks reading(UserNumber user) const = 0;

  // ---- the log
  // Events from `from` on, at most `limit`, oldest first.
  [[nodiscard]] virtual std::vector<events::Event> events(Sequence from,
                                                          std::uint32_t limit) const = 0;
  // Unfinished deliveries, oldest first.
  [[nodiscard]] virtual std::vector<FanOutRow> fan_out_queue(std::uint32_t limit) const = 0;

  // ---- walks over everything, for doctor, export and statistics
  // In ascending order from above the key given, at most `limit`; empty at the end.
  [[nodiscard]] virtual std::vector<AuthorCard> scan_cards(UserNumber after,
                                                           std::uint32_t limit) const = 0;
  // By id; as stored, posts of users marked as removed among them.
  [[nodiscard]] virtual std::vector<Post> scan_posts(PostId after, std::uint32_t limit) const = 0;
  // The whole timeline as stored, valid or not; empty if there is none.
  [[nodiscard]] virtual std::optional<Timeline> timeline(UserNumber viewer) const = 0;
  [[nodiscard]] virtual std::vector<UserNumber> scan_timelines(UserNumber after,
                                                               std::uint32_t limit) const = 0;
  // The stored counters alone, pending changes left out. Who has none but zeros may be left out.
  [[nodiscard]] virtual std::vector<std::pair<UserNumber, UserCounters>> scan_counters(
      UserNumber after, std::uint32_t limit) const = 0;
  [[nodiscard]] virtual std::vector<feed::AuthorMark> scan_marks(UserNumber after,
                                                                 std::uint32_t limit) const = 0;
  // By content, then user.
  [[nodiscard]] virtual std::vector<ReactionRow> scan_reactions(ContentId after_content,
                                                                UserNumber after_user,
                                                                std::uint32_t limit) const = 0;
  [[nodiscard]] virtual std::vector<Comment> scan_comments(CommentId after,
                                                           std::uint32_t limit) const = 0;
  // The stored counters alone. What has none but zeros may be left out.
  [[nodiscard]] virtual std::vector<ContentDelta> scan_content_counters(
      ContentId after, std::uint32_t limit) const = 0;
  // Removed posts and comments of which something is left.
  [[nodiscard]] virtual std::vector<ContentId> unfinished_post_removals() const = 0;
  // By user, then sequence.
  [[nodiscard]] virtual std::vector<events::Notification> scan_notifications(
      UserNumber after_user, Sequence after, std::uint32_t limit) const = 0;
  // Users marked as removed whose traces are not all gone yet.
  [[nodiscard]] virtual std::vector<UserNumber> unfinished_removals() const = 0;
  // What is kept of a user besides the card, by name: "posts", "follows", … Nothing of whose
  // removal is finished.
  [[nodiscard]] virtual std::vector<std::string_view> traces_of(UserNumber user) const = 0;
  // Rows a table, by table name; `cards`, `posts`, `reposts`, `reactions`, `comments`, `follows`,
  // `timelines` and `events` are among them in every store.
  [[nodiscard]] virtual std::map<std::string, std::uint64_t> table_rows() const = 0;
  // Damage that only the store itself can see (an index that names no record, a broken chunk), one
  // line each.
  [[nodiscard]] virtual std::vector<std::string> problems() const = 0;
};

}  // namespace chirp
