// Reactions, comments and what is counted of them, in the in-memory store.
#pragma once

#include <map>

#include "core/ports/storage.h"
#include "store/memory/state.h"

namespace chirp::memory {

[[nodiscard]] Outcome apply(State& state, const React& change, Time now);
[[nodiscard]] Outcome apply(State& state, const Unreact& change, Time now);
[[nodiscard]] Outcome apply(State& state, const AddComment& change, Time now);
[[nodiscard]] Outcome apply(State& state, const RemoveComment& change, Time now);
[[nodiscard]] Outcome apply(State& state, const LikeComment& change, Time now);
[[nodiscard]] Outcome apply(State& state, const UnlikeComment& change, Time now);

// ---- reading
[[nodiscard]] bool has_replies(const State& state, const Comment& comment);
// What the counters' consumer has yet to add.
[[nodiscard]] std::map<ContentId, ContentCounters> pending_content_counters(const State& state);

// ---- writing; the counters are the caller's
// `author` is whose the content is.
void put_reaction(State& state, ContentId content, UserNumber author, const Reaction& reaction);
void erase_reaction(State& state, ContentId content, UserNumber user);
void put_comment(State& state, const Comment& comment, UserNumber post_author);
// Takes every row of one comment away, whatever its replies; its likes are left.
void erase_comment(State& state, const Comment& comment);
// With replies it stays, emptied; without, it goes, and so do the emptied ones above that have no
// reply any more.
void remove_comment(State& state, const Comment& comment);
void add_content_counters(State& state, ContentId content, const ContentCounters& change);
// Notes that something hangs on a post or comment that has just been removed, if it does.
void queue_removal(State& state, ContentId content);

}  // namespace chirp::memory
