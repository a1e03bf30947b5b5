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

#include "core/ports/snapshot.h"

namespace chirp::memory {

struct State {
  std::uint32_t machine = snowflake::kMachineDefault;
  StoreState scalars;  // version, generation, marks of all, offsets, settings

  std::map<UserNumber, AuthorCard> cards;
  std::map<UserId, UserNumber> numbers;
  std::map<SourceId, UserNumber> user_sources;
  std::set<UserNumber> removing;  // marked as removed, traces left

  std::map<PostId, Post> posts;
  std::map<SourceId, PostId> post_sources;
  std::map<UserNumber, std::set<PostId>> author_logs;

  std::map<UserNumber, std::map<UserNumber, Time>> following;
  std::map<UserNumber, std::map<UserNumber, Time>> followers;

  std::map<UserNumber, Timeline> timelines;
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
void put_edge(State& state, UserNumber follower, UserNumber followee, Time since);
void erase_edge(State& state, UserNumber follower, UserNumber followee);
void put_mark(State& state, const feed::AuthorMark& mark);
void add_counters(State& state, UserNumber user, const UserCounters& delta);
// Gives the user the tier that their stored followers make, with the mark and the event if it is
// another.
void retier(State& state, UserNumber user, Time now);

}  // namespace chirp::memory
