// Everything the in-memory store keeps: plain maps and sets, with the few rules that several calls
// share.
//
// A value: copying it is what makes a snapshot. No call here locks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/ports/changes.h"
#include "core/ports/snapshot.h"

namespace chirp::memory {

// What an idempotency key made, and when it was first used.
struct KeptKey {
  Time since;
  PostId post;
};

struct State {
  std::uint32_t machine = snowflake::kMachineDefault;
  StoreState scalars;  // version, generation, marks of all, offsets, settings

  std::map<UserNumber, AuthorCard> cards;
  std::map<UserId, UserNumber> numbers;
  std::map<SourceId, UserNumber> user_sources;
  std::set<UserNumber> removing;  // marked as removed, traces left

  std::map<PostId, Post> posts;
  std::map<SourceId, ContentId> post_sources;  // of posts and comments
  std::map<UserNumber, std::set<PostId>> author_logs;
  std::map<PostId, std::map<UserNumber, PostId>> reposts;  // by original and reposter

  std::map<ContentId, std::map<UserNumber, Reaction>> reactions;
  std::map<UserNumber, std::map<ContentId, UserNumber>> reactions_by;  // with the content's author
  std::map<CommentId, Comment> comments;
  std::map<std::pair<PostId, CommentId>, std::set<CommentId>> threads;  // by post and parent
  std::map<UserNumber, std::map<CommentId, UserNumber>> comments_by;    // with the post's author
  std::map<ContentId, ContentCounters> content_counters;                // none that is all zero
  std::set<ContentId> post_removals;

  std::map<UserNumber, std::map<UserNumber, Time>> following;
  std::map<UserNumber, std::map<UserNumber, Time>> followers;

  // By who has set it: kind and whom it is about.
  std::map<UserNumber, std::map<std::pair<Relation, UserNumber>, Time>> relations;

  std::map<UserNumber, std::map<Sequence, events::Notification>> notifications;
  std::map<UserNumber, Sequence> notified;
  std::map<PostId, TaggedPost> tags;  // of public posts that are there
  std::map<std::pair<UserNumber, std::string>, KeptKey> keys;

  std::map<UserNumber, Timeline> timelines;
  std::map<UserNumber, ReadingMarks> readers;
  std::map<UserNumber, UserCounters> counters;   // nobody whose counters are all zero
  std::map<UserNumber, feed::AuthorMark> marks;  // nobody regular and always pushed
  std::map<Sequence, FanOutRow> queue;
  std::map<Sequence, events::Event> log;
  std::map<std::string, std::string> plain_settings;
};

// ---- reading
// Whether the user has a card and is not removed.
[[nodiscard]] bool present(const State& state, UserNumber user);
// The post, if it is there and its author is present.
[[nodiscard]] const Post* visible_post(const State& state, PostId id);
// The post that an id stands for to a user, who sees it: the original of a repost.
[[nodiscard]] const Post* seen_original(const State& state, UserNumber user, PostId id);
// Whether the author is there and the user may see their words of this level.
[[nodiscard]] bool may_see(const State& state, UserNumber user, UserNumber author, Privacy privacy);
// Whether one of the two has blocked the other.
[[nodiscard]] bool severed(const State& state, UserNumber one, UserNumber other);
[[nodiscard]] bool related(const State& state, UserNumber user, Relation relation,
                           UserNumber other);
// What an earlier request with the key of `change` made, if that is not too long ago: its outcome
// for the request at hand.
[[nodiscard]] std::optional<Outcome> earlier_outcome(const State& state, const Publish& change,
                                                     Time now);
// P(a): the higher of everybody's mark and the author's own.
[[nodiscard]] PostId push_from(const State& state, UserNumber author);
[[nodiscard]] feed::AuthorMark mark_of(const State& state, UserNumber author);
// What the counters' consumer has yet to add.
[[nodiscard]] std::map<UserNumber, UserCounters> pending_counters(const State& state);
// Null unless there is a timeline of the present generation.
[[nodiscard]] Timeline* valid_timeline(State& state, UserNumber viewer);
// What the next live id will at least be: above every stored one.
[[nodiscard]] PostId next_id(const State& state);
// The first moment of the day (UTC).
[[nodiscard]] Time day_of(Time time);
[[nodiscard]] UserCounters sum(const UserCounters& a, const UserCounters& b);

// ---- writing
PostId mint(State& state, Time now);
// Gives the event its place at the end of the log.
void append(State& state, events::Event event);
void put_card(State& state, const AuthorCard& card);
void put_post(State& state, const Post& post);
void erase_post(State& state, const Post& post);
// What the trends' consumer does for a post that is published.
void tag_loaded(State& state, const Post& post, Time now);
void put_edge(State& state, UserNumber follower, UserNumber followee, Time since);
void erase_edge(State& state, UserNumber follower, UserNumber followee);
// False if it is so already, or was not so.
bool put_relation(State& state, UserNumber user, Relation relation, UserNumber other, Time since);
bool erase_relation(State& state, UserNumber user, Relation relation, UserNumber other);
void put_mark(State& state, const feed::AuthorMark& mark);
void add_counters(State& state, UserNumber user, const UserCounters& delta);
// Gives the user the tier that their stored followers make, with the mark and the event if it is
// another.
void retier(State& state, UserNumber user, Time now);

}  // namespace chirp::memory
