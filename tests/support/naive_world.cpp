#include "tests/support/naive_world.h"

#include <algorithm>

#include "tests/support/stores.h"

namespace chirp::test {
namespace {

using events::Event;
using events::Topic;

// A user who has risen at the bound falls only below four fifths of it.
bool stays(std::int64_t followers, std::uint64_t bound) {
  return 5 * followers >= 4 * static_cast<std::int64_t>(bound);
}

feed::Tier tier_of(feed::Tier now, std::int64_t followers, const feed::FeedSettings& settings) {
  using feed::Tier;
  const bool was_celebrity = now == Tier::kCelebrity;
  const bool was_influencer = now != Tier::kRegular;
  if (followers > static_cast<std::int64_t>(settings.celebrity_above)) return Tier::kCelebrity;
  if (was_celebrity && stays(followers, settings.celebrity_above)) return Tier::kCelebrity;
  if (followers >= static_cast<std::int64_t>(settings.influencer_from)) return Tier::kInfluencer;
  if (was_influencer && stays(followers, settings.influencer_from)) return Tier::kInfluencer;
  return Tier::kRegular;
}

// Where an author is pushed from under a policy: what was not pushed until now stays pulled.
PostId push_from(const feed::AuthorMark& mark, feed::Policy policy, PostId next) {
  using feed::Policy;
  if (policy == Policy::kPull || policy == Policy::kCost) return mark.push_from;
  if (policy == Policy::kHybrid && mark.tier == feed::Tier::kCelebrity) return feed::kNeverPushed;
  return mark.push_from == feed::kNeverPushed ? next : mark.push_from;
}

void count_user(const Event& event, std::map<UserNumber, UserCounters>& counted) {
  if (event.privacy == Privacy::kPrivate) return;
  switch (event.topic) {
    case Topic::kPostCreated:
    case Topic::kRepostCreated:
      ++counted[event.actor].posts;
      break;
    case Topic::kPostRemoved:
    case Topic::kRepostRemoved:
      --counted[event.actor].posts;
      break;
    case Topic::kFollowAdded:
      ++counted[event.actor].following;
      ++counted[event.other].followers;
      break;
    case Topic::kFollowRemoved:
      --counted[event.actor].following;
      --counted[event.other].followers;
      break;
    default:
      break;
  }
}

void count_content(const Event& event, std::map<ContentId, ContentCounters>& counted) {
  const ContentId about =
      event.comment == kNoComment ? content_of(event.post) : content_of(event.comment);
  switch (event.topic) {
    case Topic::kReactionSet:
      ++counted[about].reactions[index_of(*event.reaction)];
      if (event.reaction_before) --counted[about].reactions[index_of(*event.reaction_before)];
      break;
    case Topic::kReactionRemoved:
      --counted[about].reactions[index_of(*event.reaction)];
      break;
    case Topic::kCommentCreated:
      ++counted[content_of(event.post)].comments;
      if (event.parent != kNoComment) ++counted[content_of(event.parent)].comments;
      break;
    case Topic::kCommentRemoved:
      --counted[content_of(event.post)].comments;
      if (event.parent != kNoComment) --counted[content_of(event.parent)].comments;
      break;
    case Topic::kRepostCreated:
      ++counted[content_of(event.original)].reposts;
      break;
    case Topic::kRepostRemoved:
      --counted[content_of(event.original)].reposts;
      break;
    default:
      break;
  }
}

}  // namespace

NaiveWorld::NaiveWorld(const StoreState& fresh)
    : settings(fresh.settings),
      generation(fresh.generation),
      push_from_all(fresh.push_from_all),
      last_id(fresh.last_id) {}

bool NaiveWorld::present(UserNumber user) const {
  const auto card = cards.find(user);
  return card != cards.end() && card->second.presence == Presence::kPresent;
}

bool NaiveWorld::kept(UserNumber user) const {
  const auto card = cards.find(user);
  return card != cards.end() && card->second.presence != Presence::kRemoved;
}

bool NaiveWorld::severed(UserNumber a, UserNumber b) const {
  return relations.contains({a, Relation::kBlock, b}) ||
         relations.contains({b, Relation::kBlock, a});
}

// The post of an id, by an author who is present or suspended.
bool NaiveWorld::is_there(PostId id) const {
  const auto post = posts.find(id);
  return post != posts.end() && kept(post->second.author);
}

// By the rule of feeds' oracle, in the part of this world that it needs.
bool NaiveWorld::sees(UserNumber user, PostId id, Why why) const {
  World world;
  for (const auto& [number, card] : cards) {
    if (card.presence != Presence::kRemoved) world.users.insert(number);
    const bool hidden = card.presence == Presence::kSuspended && why == Why::kToAct;
    if (hidden) world.suspended.insert(number);
  }
  for (const auto& [number, post] : posts) {
    world.posts[number] = {post.author, post.privacy, post.original};
  }
  for (const auto& [edge, since] : follows) world.follows.insert(edge);
  for (const auto& [key, since] : relations) {
    if (std::get<Relation>(key) == Relation::kBlock) {
      world.blocks.insert({std::get<0>(key), std::get<2>(key)});
    }
  }
  return naive_sees(world, user, id);
}

// A reader of the post sees its comments, unless there is a block: with the comment's author, or
// between that author and the post's.
bool NaiveWorld::sees(UserNumber user, CommentId id, Why why) const {
  const auto found = comments.find(id);
  if (found == comments.end() || found->second.comment.state == CommentState::kRemoved)
    return false;
  const auto& [comment, post_author] = found->second;
  const bool there = why == Why::kToAct ? present(comment.author) : kept(comment.author);
  return there && sees(user, comment.post, why) && !severed(user, comment.author) &&
         !severed(comment.author, post_author);
}

PostId NaiveWorld::original_of(PostId id) const {
  const auto post = posts.find(id);
  return post != posts.end() && post->second.is_repost() ? post->second.original : id;
}

std::optional<PostId> NaiveWorld::repost_by(UserNumber user, PostId original) const {
  for (const auto& [id, post] : posts) {
    if (post.is_repost() && post.author == user && post.original == original) return id;
  }
  return std::nullopt;
}

// ---- the log, ids, tiers

Event& NaiveWorld::append(Topic topic, Time now, UserNumber actor, UserNumber other) {
  Event event;
  event.sequence = log_end;
  event.topic = topic;
  event.time = now;
  event.actor = actor;
  event.other = other;
  log.push_back(event);
  ++log_end.value;
  if (topic != Topic::kLoadBatch) passed.see(now);  // a load's time may be one asked for
  return log.back();
}

PostId NaiveWorld::mint(Time now) {
  last_id = PostId{snowflake::next(now, last_id.value, kTestMachine)};
  return last_id;
}

// Everybody whose stored number of followers asks for another tier gets it.
void NaiveWorld::settle_tiers(Time now) {
  auto followers = user_rows();
  for (const auto& [user, change] : pending_users(log_end)) {
    followers[user].followers -= change.followers;
  }
  for (const auto& [user, card] : cards) {
    if (card.presence == Presence::kRemoved) continue;
    const auto found = marks.find(user);
    feed::AuthorMark mark = found == marks.end() ? feed::AuthorMark{user} : found->second;
    const feed::Tier tier = tier_of(mark.tier, followers[user].followers, settings);
    if (tier == mark.tier) continue;
    mark.tier = tier;
    mark.push_from = push_from(mark, settings.policy, next_id());
    marks[user] = mark;
    if (mark == feed::AuthorMark{user}) marks.erase(user);
    append(Topic::kTierChanged, now, user).rows = static_cast<std::uint64_t>(tier);
  }
}

void NaiveWorld::change_settings(const feed::FeedSettings& wanted, Time now) {
  settings = wanted;
  if (settings.policy == feed::Policy::kPull) {
    push_from_all = feed::kNeverPushed;
  } else if (push_from_all == feed::kNeverPushed) {
    push_from_all = next_id();
  }
  for (auto& [user, mark] : marks) mark.push_from = push_from(mark, settings.policy, next_id());
  settle_tiers(now);
}

void NaiveWorld::retire_marks() {
  ++generation;
  if (push_from_all != feed::kNeverPushed) push_from_all = feed::kAlwaysPushed;
  for (auto& [user, mark] : marks) {
    if (mark.push_from != feed::kNeverPushed) mark.push_from = feed::kAlwaysPushed;
  }
  std::erase_if(marks, [](const auto& row) { return row.second == feed::AuthorMark{row.first}; });
}

std::uint64_t NaiveWorld::trim_log(Time before, std::uint32_t rows) {
  std::uint64_t dropped = 0;
  const Sequence had_by_all = std::min({counters, told, trends, fan_out});
  while (!log.empty() && dropped < rows && log.front().sequence < had_by_all &&
         (log.front().time < before || passed.was_ahead(log.front().time))) {
    log.erase(log.begin());
    ++dropped;
  }
  return dropped;
}

// ---- counters: stored ones and pending events are together the rows there are

std::map<UserNumber, UserCounters> NaiveWorld::user_rows() const {
  std::map<UserNumber, UserCounters> counted;
  for (const auto& [id, post] : posts) {
    if (post.privacy != Privacy::kPrivate) ++counted[post.author].posts;
  }
  for (const auto& [edge, since] : follows) {
    ++counted[edge.first].following;
    ++counted[edge.second].followers;
  }
  return counted;
}

std::map<ContentId, ContentCounters> NaiveWorld::content_rows() const {
  std::map<ContentId, ContentCounters> counted;
  for (const auto& [key, row] : reactions) {
    ++counted[key.first].reactions[index_of(row.reaction.type)];
  }
  for (const auto& [id, row] : comments) {
    if (row.comment.state == CommentState::kRemoved) continue;
    ++counted[content_of(row.comment.post)].comments;
    if (row.comment.parent != kNoComment) ++counted[content_of(row.comment.parent)].comments;
  }
  for (const auto& [id, post] : posts) {
    if (post.is_repost()) ++counted[content_of(post.original)].reposts;
  }
  return counted;
}

std::map<UserNumber, UserCounters> NaiveWorld::pending_users(Sequence to) const {
  std::map<UserNumber, UserCounters> counted;
  for (const Event& event : log) {
    if (event.sequence >= counters && event.sequence < to) count_user(event, counted);
  }
  return counted;
}

std::map<ContentId, ContentCounters> NaiveWorld::pending_contents(Sequence to) const {
  std::map<ContentId, ContentCounters> counted;
  for (const Event& event : log) {
    if (event.sequence >= counters && event.sequence < to) count_content(event, counted);
  }
  return counted;
}

// What was reacted to by the reaction's content, what was said by the comment's own id.
std::vector<UserNumber> NaiveWorld::partners(UserNumber user) const {
  std::multimap<std::uint64_t, UserNumber, std::greater<>> found;
  for (const auto& [key, row] : reactions) {
    if (key.second == user) found.emplace(key.first.value, row.author);
  }
  for (const auto& [id, row] : comments) {
    if (row.comment.author == user) found.emplace(id.value, row.post_author);
  }
  std::vector<UserNumber> result;
  for (const auto& [id, author] : found) result.push_back(author);
  return result;
}

}  // namespace chirp::test
