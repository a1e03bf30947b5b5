#include "store/lmdb/removals.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/lmdb/cards.h"
#include "store/lmdb/comments.h"
#include "store/lmdb/content_counters.h"
#include "store/lmdb/counters.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/keys.h"
#include "store/lmdb/notifications.h"
#include "store/lmdb/posts.h"
#include "store/lmdb/reactions.h"
#include "store/lmdb/relations.h"
#include "store/lmdb/timelines.h"

namespace chirp::lmdb {
namespace {

// Tables whose keys begin with the id of a post or comment, and whose rows go with it.
constexpr std::array kHanging{Table::kReactions, Table::kThreads, Table::kReposts};

// The first keys that begin with `prefix`, at most `limit`.
std::vector<std::string> keys_under(const Txn& txn, Table table, Bytes prefix,
                                    std::uint32_t limit) {
  std::vector<std::string> keys;
  Cursor cursor(txn, table);
  for (auto item = cursor.at_or_after(prefix);
       item && keys.size() < limit && item->key.starts_with(prefix); item = cursor.next()) {
    keys.emplace_back(item->key);
  }
  return keys;
}

void add_to_counters(Batch& batch, ContentId content, const ContentCounters& change) {
  const ContentDelta delta{content, change};
  add_content_counters(batch, {&delta, 1});
}

// A comment that is there and that goes counts no more, for its post and for its parent.
void uncount(Batch& batch, const Comment& comment) {
  if (comment.state == CommentState::kRemoved) return;
  ContentCounters change;
  change.comments = -1;
  add_to_counters(batch, content_of(comment.post), change);
  if (comment.parent != kNoComment) add_to_counters(batch, content_of(comment.parent), change);
}

void uncount_repost(Batch& batch, PostId original) {
  ContentCounters change;
  change.reposts = -1;
  add_to_counters(batch, content_of(original), change);
}

// ---- what hangs on one post or comment; each takes up to `left` rows and says how many

std::uint32_t remove_reactions(Batch& batch, ContentId content, std::uint32_t left) {
  ContentCounters change;
  const auto reactions = read_reactions(batch.txn, content, kNobody, std::nullopt, left);
  for (const Reaction& reaction : reactions) {
    --change.reactions[index_of(reaction.type)];
    erase_reaction(batch, content, reaction.user);
  }
  if (!reactions.empty()) add_to_counters(batch, content, change);
  return static_cast<std::uint32_t>(reactions.size());
}

// Likes of the comments get a row of their own in the queue.
std::uint32_t remove_thread(Batch& batch, ContentId content, std::uint32_t left) {
  const auto keys = keys_under(batch.txn, Table::kThreads, key(content), left);
  for (const std::string& k : keys) {
    const auto comment = read_comment(batch.txn, CommentId{u64_at(k, 16)});
    if (!comment) {
      batch.txn.erase(Table::kThreads, k);
      continue;
    }
    queue_removal(batch, content_of(comment->id));
    erase_comment(batch, *comment);
    uncount(batch, *comment);
  }
  return static_cast<std::uint32_t>(keys.size());
}

std::uint32_t remove_reposts(Batch& batch, ContentId content, std::uint32_t left) {
  const auto keys = keys_under(batch.txn, Table::kReposts, key(content), left);
  for (const std::string& k : keys) {
    const auto row = batch.txn.get(Table::kReposts, k);
    const auto repost = read_post(batch.txn, PostId{u64_at(*row)});
    batch.txn.erase(Table::kReposts, k);
    uncount_repost(batch, PostId{content.value});
    if (!repost) continue;
    erase_post(batch, *repost);
    const CounterDelta delta{repost->author, 0, 0, -1};
    add_counters(batch, {&delta, 1});
  }
  return static_cast<std::uint32_t>(keys.size());
}

std::uint32_t remove_hanging(Batch& batch, ContentId content, std::uint32_t rows) {
  std::uint32_t left = rows;
  left -= remove_reactions(batch, content, left);
  left -= remove_thread(batch, content, left);
  left -= remove_reposts(batch, content, left);
  return rows - left;
}

// ---- what a user leaves

std::uint32_t remove_posts_of(Batch& batch, UserNumber user, std::uint32_t left) {
  const auto entries = author_log(batch.txn, user, {}, left, Origin::kPushed);
  for (const Entry& entry : entries) {
    const auto post = read_post(batch.txn, entry);
    if (!post) continue;
    erase_post(batch, *post);
    if (post->is_repost()) {
      uncount_repost(batch, post->original);
    } else {
      queue_removal(batch, content_of(post->id));
    }
  }
  return static_cast<std::uint32_t>(entries.size());
}

// Takes an edge away in both directions, from the side of a user who is being removed; the other
// user's counters change with it.
void erase_both(Batch& batch, UserNumber follower, UserNumber followee, UserNumber removed) {
  erase_edge(batch, Table::kFollowing, follower, followee);
  erase_edge(batch, Table::kFollowers, followee, follower);
  erase_relation(batch, follower, Relation::kRepostsOff, followee);
  const UserNumber other = removed == follower ? followee : follower;
  const CounterDelta delta =
      removed == follower ? CounterDelta{other, -1, 0, 0} : CounterDelta{other, 0, -1, 0};
  add_counters(batch, {&delta, 1});
}

std::uint32_t remove_edges_of(Batch& batch, Table table, UserNumber user, std::uint32_t left) {
  const auto others = read_neighbours_after(batch.txn, table, user, kNobody, left);
  for (const UserNumber other : others) {
    if (table == Table::kFollowing) {
      erase_both(batch, user, other, user);
    } else {
      erase_both(batch, other, user, user);
    }
  }
  return static_cast<std::uint32_t>(others.size());
}

std::uint32_t remove_reactions_by(Batch& batch, UserNumber user, std::uint32_t left) {
  const auto keys = keys_under(batch.txn, Table::kReactionsBy, key(user), left);
  for (const std::string& k : keys) {
    const ContentId content{u64_at(k, 4)};
    const auto reaction = read_reaction(batch.txn, content, user);
    erase_reaction(batch, content, user);
    if (!reaction) continue;
    ContentCounters change;
    change.reactions[index_of(reaction->type)] = -1;
    add_to_counters(batch, content, change);
  }
  return static_cast<std::uint32_t>(keys.size());
}

std::uint32_t remove_comments_by(Batch& batch, UserNumber user, std::uint32_t left) {
  const auto keys = keys_under(batch.txn, Table::kCommentsBy, key(user), left);
  for (const std::string& k : keys) {
    batch.txn.erase(Table::kCommentsBy, k);
    const auto comment = read_comment(batch.txn, CommentId{u64_at(k, 4)});
    if (!comment || comment->author != user) continue;
    remove_comment(batch, *comment);
    uncount(batch, *comment);
  }
  return static_cast<std::uint32_t>(keys.size());
}

// The mark stays, so that the log's events still lead to an id; the person is gone from it.
void finish_removal(Batch& batch, UserNumber user) {
  erase_timeline(batch, user);
  batch.txn.erase(Table::kCounters, key(user));
  batch.txn.erase(Table::kReaders, key(user));
  put_mark(batch, {user, feed::Tier::kRegular, feed::kAlwaysPushed});
  auto card = read_card(batch.txn, user);
  card->username.clear();
  card->display_name.clear();
  put_card(batch, *card);
  batch.txn.erase(Table::kRemovals, key(user));
  --batch.state.removals;
}

// What a finished removal leaves nothing in: tables whose keys begin with the user.
constexpr std::array<std::pair<Table, std::string_view>, 12> kOfUser{{
    {Table::kAuthorLogs, "posts"},
    {Table::kFollowing, "follows"},
    {Table::kFollowers, "followers"},
    {Table::kRelations, "blocks and mutes"},
    {Table::kRelated, "blocks and mutes by others"},
    {Table::kReactionsBy, "reactions"},
    {Table::kCommentsBy, "comments"},
    {Table::kKeys, "idempotency keys"},
    {Table::kNotifications, "notifications"},
    {Table::kTimelines, "timeline"},
    {Table::kMarks, "mark"},
    {Table::kReaders, "reading marks"},
}};

}  // namespace

std::vector<std::string_view> traces_of(const Txn& txn, UserNumber user) {
  std::vector<std::string_view> traces;
  for (const auto& [table, name] : kOfUser) {
    if (!keys_under(txn, table, key(user), 1).empty()) traces.push_back(name);
  }
  return traces;
}

bool take_up_removal(Batch& batch, UserNumber user) {
  const auto card = read_card(batch.txn, user);
  if (!card || card->presence != Presence::kRemoved) return false;
  if (batch.txn.get(Table::kRemovals, key(user))) return false;
  batch.txn.put(Table::kRemovals, key(user), {});
  ++batch.state.removals;
  return true;
}

void queue_removal(Batch& batch, ContentId content) {
  for (const Table table : kHanging) {
    if (keys_under(batch.txn, table, key(content), 1).empty()) continue;
    if (!batch.txn.get(Table::kPostRemovals, key(content))) {
      batch.txn.put(Table::kPostRemovals, key(content), {});
      ++batch.state.post_removals;
    }
    return;
  }
}

bool remove_some_post_traces(Batch& batch, std::uint32_t rows) {
  std::uint32_t left = rows;
  while (batch.state.post_removals != 0) {
    std::optional<ContentId> content;
    if (const auto item = Cursor(batch.txn, Table::kPostRemovals).first()) {
      content = ContentId{u64_at(item->key)};
    }
    if (!content) return true;
    left -= remove_hanging(batch, *content, left);
    if (left == 0) return false;
    batch.txn.erase(Table::kPostRemovals, key(*content));
    --batch.state.post_removals;
  }
  return true;
}

bool remove_some_traces(Batch& batch, UserNumber user, std::uint32_t rows) {
  if (!batch.txn.get(Table::kRemovals, key(user))) return true;
  std::uint32_t left = rows;
  left -= remove_posts_of(batch, user, left);
  left -= remove_edges_of(batch, Table::kFollowing, user, left);
  left -= remove_edges_of(batch, Table::kFollowers, user, left);
  if (left != 0) left -= erase_relations_of(batch, user, left);
  left -= remove_reactions_by(batch, user, left);
  left -= remove_comments_by(batch, user, left);
  left -= erase_keys_of(batch, user, left);
  left -= erase_notifications_of(batch, user, left);
  if (left == 0) return false;
  finish_removal(batch, user);
  return true;
}

}  // namespace chirp::lmdb
