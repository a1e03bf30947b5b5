// The oracle of writing: the effects of every change, step, load and removal on a store, over plain
// sets and maps.
//
// Written from the ports and the documents, slow and obviously right. It never uses the engine; the
// store's contents are compared with it. It does steps at once that a store may split.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/ports/steps.h"
#include "core/ports/storage.h"
#include "tests/support/naive_feed.h"

namespace chirp::test {

struct NaiveKey {
  Time first;   // first use
  PostId post;  // or a comment's id
  std::string text;
  Privacy privacy = Privacy::kPublic;
  std::vector<Medium> media;
  PostId under{};      // a comment's post, as in the request
  CommentId parent{};  // the comment's parent, as in the request
};

struct NaiveReaction {
  Reaction reaction;
  UserNumber author;  // of the post or comment
};

struct NaiveComment {
  Comment comment;
  UserNumber post_author;
};

class NaiveWorld {
 public:
  using Pair = std::pair<UserNumber, UserNumber>;
  using RelationKey = std::tuple<UserNumber, Relation, UserNumber>;

  explicit NaiveWorld(const StoreState& fresh);

  // ---- calls of a store; each returns the expected answer
  std::vector<Outcome> write(std::span<const Change> changes, Time now);
  void finish_removal(UserNumber user, Time now);
  void finish_post_removals(Time now);
  [[nodiscard]] CounterStep next_counts(Sequence to) const;
  void commit(const CounterStep& step, Time now);
  void commit(const NotificationStep& step, Time now);
  void commit(const TrendStep& step, Time now);
  [[nodiscard]] bool commit(const FanOutStep& step, Time now);
  bool mark_feed(UserNumber user, PostId up_to);
  bool mark_notified(UserNumber user, Sequence up_to);
  std::uint64_t forget_keys(Time before, std::uint32_t rows);
  void change_settings(const feed::FeedSettings& wanted, Time now);
  void retire_marks();
  std::uint64_t trim_log(Time before, std::uint32_t rows);
  void load_cards(std::span<const AuthorCard> loaded, Time now);
  LoadCounts load_edges(std::span<const LoadedEdge> edges, Time now);
  LoadCounts load_posts(std::span<const LoadedPost> loaded, Time now);
  LoadCounts load_comments(std::span<const LoadedComment> loaded, Time now);
  LoadCounts load_reactions(std::span<const LoadedReaction> loaded, Time now);
  // Returns the code of the error thrown, or kInternal if nothing was thrown.
  ErrorCode restore_posts(std::span<const Post> restored, Time now);
  ErrorCode restore_edges(std::span<const RestoredEdge> edges, Time now);
  ErrorCode restore_comments(std::span<const Comment> restored, Time now);
  ErrorCode restore_reactions(std::span<const RestoredReaction> restored, Time now);
  ErrorCode restore_relations(std::span<const RestoredRelation> restored, Time now);

  // ---- queries
  // Neither removed nor suspended.
  [[nodiscard]] bool present(UserNumber user) const;
  // Present or suspended.
  [[nodiscard]] bool kept(UserNumber user) const;
  [[nodiscard]] bool severed(UserNumber a, UserNumber b) const;
  // Content of suspended authors is visible when a user takes something back.
  enum class Why : std::uint8_t { kToAct, kToTakeBack };
  [[nodiscard]] bool sees(UserNumber user, PostId id, Why why = Why::kToAct) const;
  [[nodiscard]] bool sees(UserNumber user, CommentId id, Why why = Why::kToAct) const;
  [[nodiscard]] PostId original_of(PostId id) const;
  [[nodiscard]] std::optional<PostId> repost_by(UserNumber user, PostId original) const;
  // Returns the content with this source id, if its author exists or is suspended.
  [[nodiscard]] std::optional<LoadedContent> content_of_source(const SourceKey& source) const;
  // The existing rows, and the part of them that the counters' consumer has not counted yet.
  [[nodiscard]] std::map<UserNumber, UserCounters> user_rows() const;
  [[nodiscard]] std::map<ContentId, ContentCounters> content_rows() const;
  [[nodiscard]] std::map<UserNumber, UserCounters> pending_users(Sequence to) const;
  [[nodiscard]] std::map<ContentId, ContentCounters> pending_contents(Sequence to) const;
  // Whether it has reactions, comments or reposts.
  [[nodiscard]] bool hangs(ContentId content) const;
  // Authors whose content the user has reacted to or commented on, newest first.
  [[nodiscard]] std::vector<UserNumber> partners(UserNumber user) const;

  feed::FeedSettings settings;
  std::uint64_t generation = 0;
  PostId push_from_all;
  PostId last_id;
  TrustedTime passed;
  std::map<UserNumber, AuthorCard> cards;
  std::set<UserNumber> leaving;  // marked as removed, with traces left
  std::map<PostId, Post> posts;
  std::map<Pair, Time> follows;  // follower, followee
  std::map<RelationKey, Time> relations;
  std::map<std::pair<ContentId, UserNumber>, NaiveReaction> reactions;
  std::map<CommentId, NaiveComment> comments;
  std::set<ContentId> remains;  // removed posts and comments with traces left
  std::map<PostId, TaggedPost> tags;
  std::map<std::pair<UserNumber, std::string>, NaiveKey> keys;
  std::map<UserNumber, std::map<Sequence, events::Notification>> notifications;
  std::map<UserNumber, ReadingMarks> reading;
  std::map<UserNumber, feed::AuthorMark> marks;
  std::vector<events::Event> log;  // the kept part of it
  Sequence log_end{1};
  Sequence counters{1};  // offsets
  Sequence told{1};
  Sequence trends{1};
  Sequence fan_out{1};

 private:
  struct Apply;

  events::Event& append(events::Topic topic, Time now, UserNumber actor, UserNumber other = {});
  PostId mint(Time now);
  [[nodiscard]] PostId next_id() const { return PostId{last_id.value + 1}; }
  void settle_tiers(Time now);
  void note_load(std::uint64_t rows, Time now, PostId newest = {});
  void erase_follow(UserNumber follower, UserNumber followee, Time now);
  void erase_post(PostId id);
  void erase_comment(CommentId id);
  [[nodiscard]] bool has_replies(CommentId id) const;
  [[nodiscard]] bool is_stored(const SourceKey& source) const;
  [[nodiscard]] bool is_there(PostId id) const;
  [[nodiscard]] bool is_taken(std::uint64_t id) const;
  [[nodiscard]] std::uint64_t loaded_id(Time written, std::uint64_t named) const;
  void keep_tags(const Post& post, Time now);
  void raise_floor(std::uint64_t id);
};

// Compares everything readable except timelines, one line for each difference. Ignores what the
// ports leave open: the counters of users who are marked as removed.
[[nodiscard]] std::vector<std::string> differences(const NaiveWorld& world, const Storage& store);

}  // namespace chirp::test
