// The engine's store, to write to: posts, edges, timelines, counters, the event log.
//
// Every call is one atomic transaction, durable when it returns (kill -9 and loss of power
// included), and appends its events to the log in the same transaction. Batch-shaped, like
// Snapshot: a whole batch goes in, an outcome for each change comes out. All writers of a directory
// take turns; waiting more than limits::kBusyMs throws Error{kUnavailable}. Safe to call from any
// thread.
//
// A timeline keeps at most `cap` entries. When it had to drop some it keeps at least
// cap - cap/8 - 1, so that a store may drop the oldest in blocks, and `complete_from` is the oldest
// entry kept.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/limits.h"
#include "core/ports/changes.h"
#include "core/ports/snapshot.h"

namespace chirp {

// ---- consumers

struct Delivery {
  UserNumber viewer;
  PostId post;
  UserNumber author;
};

// What fan-out did with the events from `from` to before `to`. Deliveries are merged into each
// valid timeline as a set, so delivering twice changes nothing. A step may be written in parts, by
// viewer; the last one moves S. Who has no valid timeline when their part comes is passed over, so
// from the first part on no timeline walked before `reach` may be stored.
struct FanOutStep {
  Sequence from;                             // where S was when the gathering started
  Sequence to;                               // where S stands afterwards; == from for a part
  Sequence reach;                            // of a part: where S will stand after the last one
  std::vector<Delivery> deliveries;          // by viewer, then newest first
  std::vector<FanOutRow> queue;              // rows to write: new ones, or further on
  std::vector<Sequence> finished;            // rows to delete
  std::vector<UserNumber> drop_if_inactive;  // viewers (ascending) of influencers' posts: who has
                                             // not read since `active_since` loses the timeline
  Time active_since;
  std::vector<feed::AuthorMark> marks;  // decided by the cost rule: push_from alone counts, and
                                        // only while that policy is in force; a finite one
                                        // becomes the next id
  std::uint32_t delivery_ns = 0;        // measured, 0 for unknown: averaged into the state
};

struct CounterDelta {
  UserNumber user;
  std::int64_t followers = 0;
  std::int64_t following = 0;
  std::int64_t posts = 0;
};

// Adds to the counters; who crosses a bound of tiers gets another mark, and tier.changed is logged.
struct CounterStep {
  Sequence from;
  Sequence to;
  std::vector<CounterDelta> deltas;      // by user, nobody twice
  std::vector<ContentDelta> contents{};  // by content, none twice
};

// What the notifications' consumer made of the events from `from` to before `to`. Those of users
// who are not present are passed over. Of each user told, the newest `keep` stay.
struct NotificationStep {
  Sequence from;
  Sequence to;
  std::vector<events::Notification> told;  // by user, then sequence
  std::uint32_t keep = limits::kNotificationsKept;
};

// What the trends' consumer made of the events from `from` to before `to`. Posts that are not there
// any more are passed over. Posts of before `since` lose their tags, the oldest first, as long as
// no more than `drop` tags go.
struct TrendStep {
  Sequence from;
  Sequence to;
  std::vector<TaggedPost> posts;
  Time since;
  std::uint32_t drop = 0;
};

// A timeline built by a walk, offered for storing.
struct BuiltTimeline {
  UserNumber viewer;
  Timeline timeline;                  // generation: that of the walk
  Sequence log_end;                   // of the walk's snapshot
  std::vector<UserNumber> following;  // whom the walk covered, ascending
  std::uint32_t source_ns = 0;        // measured, 0 for unknown
};

// Whether a timeline that is stored and valid gives way to the one offered.
enum class Replace : std::uint8_t { kKeepValid, kAlways };

// ---- loads

struct LoadedEdge {
  UserNumber follower;
  UserNumber followee;
};

// A post or, with `original`, a repost, which keeps no text.
struct LoadedPost {
  SourceId source;
  UserNumber author;
  Time created_at;    // 2000 or later
  std::string text;   // checked and normalised
  PostId original{};  // of a repost: a public post that is none itself
  PostId id{};        // the one to take if it is free; else the store says
};

struct LoadedComment {
  SourceId source;
  UserNumber author;
  Time created_at;   // 2000 or later
  std::string text;  // checked and normalised
  PostId post;       // no repost
  CommentId parent = kNoComment;
  CommentId id{};  // the one to take if it is free; else the store says
};

struct LoadedReaction {
  UserNumber user;
  PostId post;  // no repost
  ReactionType type = ReactionType::kLike;
};

struct LoadCounts {
  std::uint64_t stored = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t missing = 0;  // whose they are, or what they are about, is not there (any more)
};

// What came with a source id.
struct LoadedContent {
  PostId post;                     // of a repost: its original; of a comment: the post it is under
  CommentId comment = kNoComment;  // if it is one

  bool operator==(const LoadedContent&) const = default;
};

// Rows of an export, put back with their ids and times.
struct RestoredEdge {
  UserNumber follower;
  UserNumber followee;
  Time since;
  Reposts reposts = Reposts::kOn;
};
struct RestoredRelation {
  UserNumber user;
  UserNumber other;
  Relation relation = Relation::kBlock;  // kBlock or kMute
  Time since;
};
struct RestoredReaction {
  ContentId content;
  UserNumber user;
  ReactionType type = ReactionType::kLike;
  Time since;
};

class Storage {
 public:
  virtual ~Storage() = default;

  [[nodiscard]] virtual std::unique_ptr<Snapshot> snapshot() const = 0;
  // Moves with every commit of any process.
  [[nodiscard]] virtual std::uint64_t version() const = 0;

  // Applies the changes in order, in one commit. `now` is the wall clock; ids are minted inside the
  // transaction, above the last one whatever the clock does.
  virtual std::vector<Outcome> write(std::span<const Change> changes, Time now) = 0;

  // Removes up to `rows` traces (posts, edges, reactions, comments, timeline) of a user marked as
  // removed, with the counters of others, and retiers them. True when none is left; then the names
  // of the card are emptied.
  virtual bool remove_traces(UserNumber user, std::uint32_t rows, Time now) = 0;
  // Removes up to `rows` rows of what hangs on removed posts and comments (reactions, comments,
  // reposts, hashtags), with the counters of others. True when nothing is left; cheap then.
  virtual bool remove_post_traces(std::uint32_t rows, Time now) = 0;

  // ---- consumers: false, and nothing changed, if the offset is no longer where the step started
  virtual bool commit(const FanOutStep& step, Time now) = 0;
  virtual bool commit(const CounterStep& step, Time now) = 0;
  virtual bool commit(const NotificationStep& step, Time now) = 0;
  virtual bool commit(const TrendStep& step, Time now) = 0;

  // Stores a timeline unless a post could have slipped past it: only while no event from `log_end`
  // on has been delivered, wholly (S) or in part (StoreState::fan_out_reach), the generation is the
  // walk's, and the viewer is present and follows nobody the walk did not cover. The later day of
  // last read stays, the one offered or the one stored. False if not stored.
  virtual bool store(const BuiltTimeline& built, Replace replace, Time now) = 0;
  virtual void drop_timeline(UserNumber viewer) = 0;
  // Keeps the day of the viewer's last read; nothing if there is no timeline.
  virtual void note_read(UserNumber viewer, Time now) = 0;
  // Keeps how far the home feed has been read, up or down from where it was. False if the user is
  // not there.
  virtual bool mark_feed(UserNumber user, PostId up_to) = 0;

  // ---- notifications and idempotency keys
  // Keeps that the user has read of everything up to and including `up_to`, the last event of the
  // log at most. False, and nothing changed, if that is so already or the user is not present.
  virtual bool mark_notified(UserNumber user, Sequence up_to) = 0;
  // Forgets keys first used before `before`, the oldest first, at most `rows`. The number
  // forgotten.
  virtual std::uint64_t forget_keys(Time before, std::uint32_t rows) = 0;

  // ---- settings
  // In force at the next read of every process. A new policy moves P0 and the marks, new bounds
  // retier authors, a lower cap trims timelines as they are next written.
  virtual void change_settings(const feed::FeedSettings& settings, Time now) = 0;
  // Finite push-from marks to 0, and the generation up by one, so that all timelines are rebuilt.
  virtual void retire_marks() = 0;
  // Free-form settings outside feeds, by key.
  [[nodiscard]] virtual std::map<std::string, std::string> plain_settings() const = 0;
  virtual void set_plain(std::string_view key, std::string_view value) = 0;

  // Drops events older than `before` that every consumer has, at most `rows`. The number dropped.
  virtual std::uint64_t trim_log(Time before, std::uint32_t rows) = 0;

  // ---- loads: each call is one batch with one load.batch event, its counters and tiers, and the
  // generation up by one unless it says so, all in one transaction; one that stores no row changes
  // nothing
  // Who has come with these ids and is present.
  [[nodiscard]] virtual std::vector<std::optional<UserNumber>> numbers_of(
      std::span<const SourceId> sources) const = 0;
  // Writes the cards of those who have none, found by source id afterwards. Who has one keeps it:
  // it may be of a later time than the one offered.
  virtual void load_cards(std::span<const AuthorCard> cards, Time now) = 0;
  // Edges that are there are counted as duplicates, those from or to somebody who is not as
  // missing. No edge from a user to themselves. New ones carry the time `now`. Takes from the front
  // of `edges` as many as fit one
  // transaction of about limits::kLoadTransactionMs; `taken` of the result says how many.
  struct EdgeResult {
    LoadCounts counts;
    std::size_t taken = 0;
  };
  virtual EdgeResult load_edges(std::span<const LoadedEdge> edges, Time now) = 0;
  // What of these ids is there, by authors who are.
  [[nodiscard]] virtual std::vector<std::optional<LoadedContent>> contents_of(
      std::span<const SourceId> sources) const = 0;
  // Posts and reposts whose source id is there, at a comment too, are duplicates; so is another
  // repost of one post by one user. Those of an author who is not there are missing. Each takes the
  // next id of machine 1 above those of its
  // millisecond, so in the order given among equal times; a full millisecond spills into the next.
  // One that names an id, of machine 1 and no earlier than its time, takes that unless it is taken.
  // The batch mints a live id, and no loaded id's millisecond is above that one's. Times after
  // `now` are the caller's to refuse.
  virtual LoadCounts load_posts(std::span<const LoadedPost> posts, Time now) = 0;
  // The same of comments. A parent is a comment of the same post. Timelines stay as they are.
  virtual LoadCounts load_comments(std::span<const LoadedComment> comments, Time now) = 0;
  // A second reaction of a user to a post is a duplicate, whatever its type. They carry the time
  // `now`. Timelines stay as they are.
  virtual LoadCounts load_reactions(std::span<const LoadedReaction> reactions, Time now) = 0;
  // Rows of an export, ids and times kept; raises the floor of live ids above the highest. Ids that
  // are there, edges too, throw Error{kAlreadyExists} with nothing changed.
  virtual void restore_posts(std::span<const Post> posts, Time now) = 0;
  virtual void restore_edges(std::span<const RestoredEdge> edges, Time now) = 0;
  // The same of what hangs on posts and comments, and stands between users; timelines stay as they
  // are. What it hangs on must be there, else they throw Error{kBadInput}; a comment's parent may
  // come later.
  virtual void restore_comments(std::span<const Comment> comments, Time now) = 0;
  virtual void restore_reactions(std::span<const RestoredReaction> reactions, Time now) = 0;
  virtual void restore_relations(std::span<const RestoredRelation> relations, Time now) = 0;

  // ---- repair: what doctor found
  // Takes up again the removals of users who are marked as removed, and of whom something is left.
  virtual void repair_removals(std::span<const UserNumber> users, Time now) = 0;
  // Sets the stored counters of a user, retiering, so that with what is pending they are `actual`.
  // Nothing of who is not there.
  virtual void repair_counters(UserNumber user, const UserCounters& actual, Time now) = 0;
  // Gives each of `posts` the tags it says, and no others; a post that is not there loses them.
  virtual void repair_tags(std::span<const TaggedPost> posts, Time now) = 0;
  // Takes away notifications that are stored, and writes others anew, if the user is present.
  virtual void repair_notifications(std::span<const events::Notification> wrong,
                                    std::span<const events::Notification> missing, Time now) = 0;
  // Sets the stored counters of a post or comment so that with what is pending they are `actual`.
  virtual void repair_content_counters(ContentId content, const ContentCounters& actual,
                                       Time now) = 0;
  // Rebuilds the reverse direction of edges and the indexes from the records, and moves push-from
  // marks that do not go with the policy in force. The number of rows put right.
  virtual std::uint64_t repair_indexes(Time now) = 0;
};

}  // namespace chirp
