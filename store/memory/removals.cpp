// Removals step by step: what hangs on removed posts and comments, and everything of a removed
// user.
#include <algorithm>

#include "store/memory/content.h"
#include "store/memory/storage.h"

namespace chirp::memory {
namespace {

// A comment that is there and that goes counts no more, for its post and for its parent.
void uncount(State& state, const Comment& comment) {
  if (comment.state == CommentState::kRemoved) return;
  add_content_counters(state, content_of(comment.post), {.comments = -1});
  if (comment.parent != kNoComment) {
    add_content_counters(state, content_of(comment.parent), {.comments = -1});
  }
}

void remove_reaction(State& state, ContentId content, UserNumber user) {
  ContentCounters change;
  change.reactions[index_of(state.reactions.at(content).at(user).type)] = -1;
  erase_reaction(state, content, user);
  add_content_counters(state, content, change);
}

void remove_repost(State& state, PostId id) {
  const Post repost = state.posts.at(id);
  erase_post(state, repost);
  add_content_counters(state, content_of(repost.original), {.reposts = -1});
  add_counters(state, repost.author, {.posts = -1});
}

// Removes one row of what hangs on a post or comment; false if there was none.
bool remove_hanging(State& state, ContentId content) {
  const PostId post{content.value};
  if (const auto found = state.reactions.find(content); found != state.reactions.end()) {
    remove_reaction(state, content, found->second.begin()->first);
    return true;
  }
  const auto thread = state.threads.lower_bound({post, kNoComment});
  if (thread != state.threads.end() && thread->first.first == post) {
    const Comment comment = state.comments.at(*thread->second.begin());
    queue_removal(state, content_of(comment.id));
    erase_comment(state, comment);
    uncount(state, comment);
    return true;
  }
  if (const auto found = state.reposts.find(post); found != state.reposts.end()) {
    remove_repost(state, found->second.begin()->second);
    return true;
  }
  return false;
}

// An edge goes, and both ends count one less. `other` is the end that stays.
void remove_edge(State& state, UserNumber follower, UserNumber followee, UserNumber other,
                 Time now) {
  erase_edge(state, follower, followee);
  add_counters(state, follower, {.following = -1});
  add_counters(state, followee, {.followers = -1});
  retier(state, other, now);
}

// One that the user has set, or that is set about them.
bool erase_one_relation(State& state, UserNumber user) {
  for (const auto& [owner, relations] : state.relations) {
    for (const auto& [what, since] : relations) {
      if (owner != user && what.second != user) continue;
      return erase_relation(state, owner, what.first, what.second);
    }
  }
  return false;
}

bool has_relations(const State& state, UserNumber user) {
  return std::any_of(state.relations.begin(), state.relations.end(), [&](const auto& of) {
    return of.first == user || std::any_of(of.second.begin(), of.second.end(),
                                           [&](const auto& at) { return at.first.second == user; });
  });
}

bool has_keys(const State& state, UserNumber user) {
  const auto found = state.keys.lower_bound({user, {}});
  return found != state.keys.end() && found->first.first == user;
}

bool erase_one_key(State& state, UserNumber user) {
  if (!has_keys(state, user)) return false;
  state.keys.erase(state.keys.lower_bound({user, {}}));
  return true;
}

bool erase_one_notification(State& state, UserNumber user) {
  const auto found = state.notifications.find(user);
  if (found == state.notifications.end()) return false;
  if (!found->second.empty()) found->second.erase(found->second.begin());
  if (found->second.empty()) state.notifications.erase(found);
  return true;
}

// Removes one of the user's posts or reposts.
void remove_post(State& state, PostId id) {
  const Post post = state.posts.at(id);
  if (post.is_repost()) return remove_repost(state, id);
  erase_post(state, post);
  queue_removal(state, content_of(id));
  add_counters(state, post.author, {.posts = -1});
}

// Removes one trace of the user; false if there was none.
bool remove_trace(State& state, UserNumber user, Time now) {
  if (const auto log = state.author_logs.find(user); log != state.author_logs.end()) {
    remove_post(state, *log->second.rbegin());  // newest first
    return true;
  }
  if (const auto edges = state.following.find(user); edges != state.following.end()) {
    const UserNumber followee = edges->second.begin()->first;
    remove_edge(state, user, followee, followee, now);
    return true;
  }
  if (const auto edges = state.followers.find(user); edges != state.followers.end()) {
    const UserNumber follower = edges->second.begin()->first;
    remove_edge(state, follower, user, follower, now);
    return true;
  }
  if (const auto by = state.reactions_by.find(user); by != state.reactions_by.end()) {
    remove_reaction(state, by->second.begin()->first, user);
    return true;
  }
  if (const auto by = state.comments_by.find(user); by != state.comments_by.end()) {
    const Comment comment = state.comments.at(by->second.begin()->first);
    remove_comment(state, comment);
    uncount(state, comment);
    return true;
  }
  return erase_one_relation(state, user) || erase_one_key(state, user) ||
         erase_one_notification(state, user) || state.notified.erase(user) > 0 ||
         state.timelines.erase(user) > 0;
}

bool has_traces(const State& state, UserNumber user) {
  return state.author_logs.contains(user) || state.following.contains(user) ||
         state.followers.contains(user) || state.timelines.contains(user) ||
         state.reactions_by.contains(user) || state.comments_by.contains(user) ||
         has_relations(state, user) || state.notifications.contains(user) ||
         state.notified.contains(user) || has_keys(state, user);
}

}  // namespace

bool MemoryStorage::remove_traces(UserNumber user, std::uint32_t rows, Time now) {
  return transact([&](State& state) {
    if (!state.removing.contains(user)) return true;
    for (std::uint32_t row = 0; row < rows && remove_trace(state, user, now);) ++row;
    if (has_traces(state, user)) return false;
    AuthorCard& card = state.cards.at(user);
    card.username.clear();
    card.display_name.clear();
    state.marks.erase(user);
    state.readers.erase(user);
    state.removing.erase(user);
    return true;
  });
}

bool MemoryStorage::remove_post_traces(std::uint32_t rows, Time) {
  return transact([&](State& state) {
    for (std::uint32_t row = 0; row < rows && !state.post_removals.empty();) {
      const ContentId content = *state.post_removals.begin();
      if (remove_hanging(state, content)) {
        ++row;
      } else {
        state.post_removals.erase(content);
      }
    }
    return state.post_removals.empty();
  });
}

}  // namespace chirp::memory
