#include "core/rules/removals.h"

#include <vector>

#include "core/rules/changes.h"
#include "core/rules/content.h"
#include "core/rules/counters.h"
#include "core/rules/steps.h"

namespace chirp::rules {

using namespace tables;

namespace {

template <class Rows>
std::uint32_t size_of(const Rows& found) {
  return static_cast<std::uint32_t>(found.size());
}

void uncount_repost(Rows& rows, PostId original) {
  ContentDelta delta{content_of(original), {}};
  delta.change.reposts = -1;
  add_counters(rows, delta);
}

// Subtracts an existing comment from the counters of its post and parent.
void uncount(Rows& rows, const Comment& comment) {
  if (comment.state == CommentState::kRemoved) return;
  ContentDelta delta{content_of(comment.post), {}};
  delta.change.comments = -1;
  add_counters(rows, delta);
  delta.content = content_of(comment.parent);
  if (comment.parent != kNoComment) add_counters(rows, delta);
}

// ---- traces of one post or comment; each removes up to `limit` rows and returns how many

std::uint32_t remove_reactions(Rows& rows, ContentId content, std::uint32_t limit) {
  const auto found = rows.range(Reactions::Key{content, kNobody},
                                Reactions::Key{content, kLastUser}, Direction::kUp, limit);
  ContentDelta delta{content, {}};
  for (const auto& [key, reaction] : found) {
    --delta.change.reactions[index_of(reaction.type)];
    must_have_gone(erase_reaction(rows, content, key.user));
  }
  if (!found.empty()) add_counters(rows, delta);
  return size_of(found);
}

// Queues each comment, because its likes are removed later.
template <class Thread>
std::uint32_t remove_thread(Rows& rows, ContentId content, std::uint32_t limit) {
  using Key = typename Thread::Key;
  const PostId post{content.value};
  const auto found = rows.range(Key{post, kNoComment, kNoComment},
                                Key{post, kLastComment, kLastComment}, Direction::kUp, limit);
  std::vector<std::optional<Comment>> comments;
  for (const auto& [key, nothing] : found)
    comments.push_back(rows.find(Comments::Key{key.comment}));
  for (std::size_t i = 0; i < found.size(); ++i) {
    must_have_gone(rows.erase(found[i].first));
    if (!comments[i]) continue;
    queue_removal(rows, content_of(comments[i]->id));
    erase_comment(rows, *comments[i]);
    uncount(rows, *comments[i]);
  }
  return size_of(found);
}

std::uint32_t remove_reposts(Rows& rows, ContentId content, std::uint32_t limit) {
  const PostId original{content.value};
  const auto found = rows.range(RepostsOf::Key{original, kNobody},
                                RepostsOf::Key{original, kLastUser}, Direction::kUp, limit);
  std::vector<std::optional<Post>> reposts;
  for (const auto& [key, id] : found) reposts.push_back(rows.find(Posts::Key{id}));
  for (std::size_t i = 0; i < found.size(); ++i) {
    must_have_gone(rows.erase(found[i].first));
    uncount_repost(rows, original);
    if (!reposts[i]) continue;
    erase_post(rows, *reposts[i]);
    add_counters(rows, CounterDelta{reposts[i]->author, 0, 0, -1});
  }
  if (!found.empty()) ++rows.state().unlogged;
  return size_of(found);
}

std::uint32_t remove_hanging(Rows& rows, ContentId content, std::uint32_t limit) {
  std::uint32_t left = limit;
  left -= remove_reactions(rows, content, left);
  left -= remove_thread<Threads>(rows, content, left);
  left -= remove_thread<HiddenThreads>(rows, content, left);
  left -= remove_reposts(rows, content, left);
  return limit - left;
}

// ---- traces of a user

template <class Log>
std::uint32_t remove_log_of(Rows& rows, UserNumber user, std::uint32_t limit) {
  using Key = typename Log::Key;
  const auto found =
      rows.range(Key{user, kBelowAllPosts}, Key{user, kAboveAllPosts}, Direction::kDown, limit);
  std::vector<std::optional<Post>> posts;
  for (const auto& [key, nothing] : found) posts.push_back(rows.find(Posts::Key{key.id}));
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& post = posts[i];
    if (!post || post->author != user || post->privacy != kLevelOf<Log>) {
      must_have_gone(rows.erase(found[i].first));
      continue;
    }
    erase_post(rows, *post);
    if (post->is_repost()) {
      uncount_repost(rows, post->original);
    } else {
      queue_removal(rows, content_of(post->id));
    }
  }
  return size_of(found);
}

std::uint32_t remove_posts_of(Rows& rows, UserNumber user, std::uint32_t limit) {
  std::uint32_t left = limit;
  left -= remove_log_of<AuthorLogs>(rows, user, left);
  left -= remove_log_of<FollowersLogs>(rows, user, left);
  left -= remove_log_of<PrivateLogs>(rows, user, left);
  return limit - left;
}

// Removes an edge in both directions.
void erase_both(Rows& rows, UserNumber follower, UserNumber followee) {
  rows.discard(Following::Key{follower, followee});
  rows.discard(Followers::Key{followee, follower});
  erase_relation(rows, follower, Relation::kRepostsOff, followee);
}

std::uint32_t remove_following_of(Rows& rows, UserNumber user, std::uint32_t limit) {
  const auto found = rows.range(Following::Key{user, kNobody}, Following::Key{user, kLastUser},
                                Direction::kUp, limit);
  for (const auto& [key, since] : found) {
    erase_both(rows, user, key.followee);
    add_counters(rows, CounterDelta{key.followee, -1, 0, 0});
  }
  return size_of(found);
}

std::uint32_t remove_followers_of(Rows& rows, UserNumber user, std::uint32_t limit) {
  const auto found = rows.range(Followers::Key{user, kNobody}, Followers::Key{user, kLastUser},
                                Direction::kUp, limit);
  for (const auto& [key, since] : found) {
    erase_both(rows, key.follower, user);
    add_counters(rows, CounterDelta{key.follower, 0, -1, 0});
  }
  return size_of(found);
}

constexpr Relation kFirstRelation = Relation::kBlock;
constexpr Relation kLastRelation = Relation::kRepostsOff;

std::uint32_t remove_relations_of(Rows& rows, UserNumber user, std::uint32_t limit) {
  const auto set =
      rows.range(Relations::Key{user, kFirstRelation, kNobody},
                 Relations::Key{user, kLastRelation, kLastUser}, Direction::kUp, limit);
  for (const auto& [key, since] : set) {
    must_have_gone(erase_relation(rows, user, key.relation, key.other));
  }
  const auto about = rows.range(Related::Key{user, kFirstRelation, kNobody},
                                Related::Key{user, kLastRelation, kLastUser}, Direction::kUp,
                                limit - size_of(set));
  for (const auto& [key, nothing] : about) {
    if (erase_relation(rows, key.user, key.relation, user)) continue;
    // An index row without a record: the doctor reports it, and the removal only deletes it.
    must_have_gone(rows.erase(key));
  }
  return size_of(set) + size_of(about);
}

std::uint32_t remove_reactions_by(Rows& rows, UserNumber user, std::uint32_t limit) {
  const ContentId first{0};
  const ContentId last{kLastComment.value};
  const auto found = rows.range(ReactionsBy::Key{user, first}, ReactionsBy::Key{user, last},
                                Direction::kUp, limit);
  std::vector<std::optional<Reaction>> reactions;
  for (const auto& [key, author] : found) {
    reactions.push_back(rows.find(Reactions::Key{key.content, user}));
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const ContentId content = found[i].first.content;
    must_have_gone(rows.erase(found[i].first));
    if (!reactions[i]) continue;
    rows.discard(Reactions::Key{content, user});
    ContentDelta delta{content, {}};
    delta.change.reactions[index_of(reactions[i]->type)] = -1;
    add_counters(rows, delta);
  }
  return size_of(found);
}

std::uint32_t remove_comments_by(Rows& rows, UserNumber user, std::uint32_t limit) {
  const auto found = rows.range(CommentsBy::Key{user, kNoComment},
                                CommentsBy::Key{user, kLastComment}, Direction::kUp, limit);
  for (const auto& [key, author] : found) {
    must_have_gone(rows.erase(key));
    const auto comment = rows.find(Comments::Key{key.comment});
    if (!comment || comment->author != user) continue;
    remove_comment(rows, *comment, leaving(rows, *comment));
    uncount(rows, *comment);
  }
  return size_of(found);
}

// The card stays without personal data, so that events in the log still lead to an id.
void finish_removal(Rows& rows, UserNumber user) {
  rows.erase_timeline(user);
  rows.discard(UserCounts::Key{user});
  rows.discard(Readers::Key{user});
  put_mark(rows, {user, feed::Tier::kRegular, feed::kAlwaysPushed});
  if (auto card = rows.find(Cards::Key{user})) {
    card->username.clear();
    card->display_name.clear();
    put_card(rows, *card);
  }
  rows.discard(Removals::Key{user});
  --rows.state().removals;
}

}  // namespace

bool remove_traces(Rows& rows, UserNumber user, std::uint32_t limit) {
  if (!rows.find(Removals::Key{user})) return true;
  ++rows.state().unlogged;
  std::uint32_t left = limit;
  left -= remove_posts_of(rows, user, left);
  left -= remove_following_of(rows, user, left);
  left -= remove_followers_of(rows, user, left);
  left -= remove_relations_of(rows, user, left);
  left -= remove_reactions_by(rows, user, left);
  left -= remove_comments_by(rows, user, left);
  left -= rows.forget_requests(user, left);
  left -= forget_notifications_of(rows, user, left);
  if (left == 0) return false;
  finish_removal(rows, user);
  return true;
}

bool remove_post_traces(Rows& rows, std::uint32_t limit) {
  // Several at once, so that a remote store can fetch their traces in one call.
  constexpr std::uint32_t kAtOnce = 256;
  std::uint32_t left = limit;
  while (rows.state().post_removals != 0) {
    const auto some =
        rows.range(PostRemovals::Key{ContentId{0}},
                   PostRemovals::Key{ContentId{kLastComment.value}}, Direction::kUp, kAtOnce);
    if (some.empty()) return true;
    for (const auto& [key, nothing] : some) {
      left -= remove_hanging(rows, key.content, left);
      if (left == 0) return false;
      must_have_gone(rows.erase(key));
      --rows.state().post_removals;
    }
  }
  return true;
}

bool take_up_removals(Rows& rows, std::span<const UserNumber> users) {
  bool any = false;
  for (const UserNumber user : users) {
    const auto card = rows.find(Cards::Key{user});
    const bool listed = rows.find(Removals::Key{user}).has_value();
    if (!card || card->presence != Presence::kRemoved || listed) continue;
    rows.put(Removals::Key{user}, {});
    ++rows.state().removals;
    any = true;
  }
  if (any) ++rows.state().unlogged;
  return any;
}

}  // namespace chirp::rules
