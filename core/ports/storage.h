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
#include "core/ports/loads.h"
#include "core/ports/snapshot.h"
#include "core/ports/steps.h"

namespace chirp {

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
