#include "tests/support/live_world.h"

#include <algorithm>

#include "core/events/consumers.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "core/social/notifications.h"
#include "tests/support/fake_clock.h"

namespace chirp::test {

using events::Event;
using events::Topic;

LiveWorld::LiveWorld(const StoreKind& kind, std::uint64_t seed) : random_(seed), subject_(kind) {
  subject_.users(kUsers);
  for (std::uint32_t i = 0; i < 2 * kUsers; ++i) follow(anybody(), anybody());
}

PostId LiveWorld::some_post() {
  const auto posts = reads::rows_above<tables::Posts>(*subject_.see(), {kBelowAllPosts}, kAll);
  if (posts.empty()) return PostId{5};
  // The newest are in question more often.
  const std::uint64_t back = std::min(below(posts.size()), below(posts.size()));
  return posts[posts.size() - 1 - back].id;
}

CommentId LiveWorld::some_comment() {
  const auto comments = reads::rows_above<tables::Comments>(*subject_.see(), {kNoComment}, kAll);
  return comments.empty() ? CommentId{5} : comments[below(comments.size())].id;
}

void LiveWorld::act(Acts acts) {
  if (below(3) == 0) subject_.now.ms += static_cast<std::int64_t>(below(3));
  const std::uint64_t drawn = below(20);
  if (drawn < 14) {
    content(acts);
  } else if (drawn < 16 || acts == Acts::kContent) {
    tidy_up();
  } else if (drawn < 18) {
    follow(anybody(), anybody());
  } else if (below(30) == 0) {
    subject_.apply(MarkRemoved{anybody()});
  } else {
    relate(anybody(), anybody());
  }
  remember_posts();
}

void LiveWorld::content(Acts acts) {
  const UserNumber user = anybody();
  switch (below(10)) {
    case 0:
    case 1:
    case 2:
      publish(user);
      break;
    case 3:
    case 4:
      subject_.apply(Repost{user, some_post()});
      break;
    case 5:
      subject_.apply(Unrepost{user, some_post()});
      break;
    case 6:
      if (acts == Acts::kAnything || below(2) == 0) subject_.apply(RemovePost{some_post()});
      break;
    case 7:
      comment(user);
      break;
    default:
      react(user);
  }
}

void LiveWorld::publish(UserNumber author) {
  Publish post{author, "text"};
  const std::uint64_t level = below(5);
  post.privacy = level < 3 ? Privacy::kPublic : static_cast<Privacy>(level - 2);
  if (below(3) == 0) post.mentions = {UserNumber{1 + author.value % kUsers}};
  subject_.apply(post);
}

void LiveWorld::comment(UserNumber author) {
  if (below(4) == 0) {
    subject_.apply(RemoveComment{some_comment()});
    return;
  }
  AddComment change{author, some_post(), "text"};
  if (below(2) == 0) {
    const CommentId id = some_comment();
    if (const auto parent = subject_.see()->find(tables::Comments::Key{id})) {
      change.post = parent->post;
      change.parent = id;
    }
  }
  if (below(3) == 0) change.mentions = {UserNumber{1 + author.value % kUsers}};
  subject_.apply(change);
}

void LiveWorld::react(UserNumber user) {
  switch (below(6)) {
    case 0:
      subject_.apply(Unreact{user, some_post()});
      break;
    case 1:
      subject_.apply(LikeComment{user, some_comment()});
      break;
    case 2:
      subject_.apply(UnlikeComment{user, some_comment()});
      break;
    default:
      subject_.apply(React{user, some_post(), static_cast<ReactionType>(1 + below(5))});
  }
}

void LiveWorld::follow(UserNumber one, UserNumber two) {
  if (one == two) return;
  switch (below(5)) {
    case 0:
      subject_.apply(Unfollow{one, two});
      break;
    case 1:
      subject_.apply(Follow{one, two, below(2) == 0 ? Reposts::kOff : Reposts::kOn});
      break;
    default:
      subject_.apply(Follow{one, two});
  }
}

void LiveWorld::relate(UserNumber one, UserNumber two) {
  if (one == two) return;
  const Relation relation = below(2) == 0 ? Relation::kBlock : Relation::kMute;
  if (below(3) == 0) {
    subject_.apply(Relate{one, two, relation});
  } else {
    subject_.apply(Unrelate{one, two, relation});
  }
}

// The consumers, and what removals leave to be done.
void LiveWorld::tidy_up() {
  const FakeClock clock(subject_.now);
  switch (below(5)) {
    case 0:
      for (const UserNumber user : reads::unfinished_removals(*subject_.see())) {
        (void)rules::remove_traces(subject_.storage(), user,
                                   static_cast<std::uint32_t>(1 + below(4)), subject_.now);
      }
      break;
    case 1:
      (void)rules::remove_post_traces(subject_.storage(), static_cast<std::uint32_t>(1 + below(4)),
                                      subject_.now);
      break;
    case 2:
      (void)events::FanOut(subject_.storage(), clock).step();
      break;
    case 3:
      (void)events::CounterConsumer(subject_.storage(), clock).step();
      break;
    default:
      (void)events::NotificationConsumer(subject_.storage(), clock).step();
  }
}

void LiveWorld::remember_posts() {
  for (const Post& post :
       reads::rows_above<tables::Posts>(*subject_.see(), {kBelowAllPosts}, kAll)) {
    posts_[post.id] = {post.author, post.privacy, post.original};
  }
}

LiveState LiveWorld::state_of(const Snapshot& snapshot) {
  LiveState state;
  state.world = world_of(snapshot);
  // Blocks by whoever is being removed stand until the removal has come to them.
  for (UserNumber user{1}; user.value <= kUsers; ++user.value) {
    if (state.world.users.contains(user)) continue;
    for (const Edge& edge :
         reads::related(snapshot, user, Relation::kBlock, kNobody, kUsers).edges) {
      state.world.blocks.insert({user, edge.other});
    }
  }
  for (const UserNumber user : state.world.users) {
    for (const Entry& entry : naive_feed(state.world, user)) state.feeds[user].insert(entry.id);
    social::NotificationQuery query;
    query.user = user;
    query.limit = limits::kPostPageMax;
    for (bool more = true; more;) {
      const auto page = notifications_in(snapshot, query);
      for (const auto& view : page.notifications) state.notices[user].insert(view.id);
      more = page.next_cursor.has_value();
      if (more) query.before = events::sequence_in(*page.next_cursor);
    }
  }
  return state;
}

std::set<NaiveMessage> LiveWorld::meaning(const LiveState& state, const Event& event,
                                          UserNumber reader) const {
  std::set<NaiveMessage> messages;
  const World& world = state.world;
  if (!world.users.contains(reader)) return messages;
  const std::uint64_t id = event.sequence.value * 4;
  if (event.topic == Topic::kPostCreated || event.topic == Topic::kRepostCreated) {
    const auto feed = state.feeds.find(reader);
    if (feed != state.feeds.end() && feed->second.contains(event.post))
      messages.emplace(id, "post");
  }
  if (event.topic == Topic::kPostRemoved || event.topic == Topic::kRepostRemoved) {
    const auto& [author, privacy, original] = posts_.at(event.post);
    const bool severed =
        world.blocks.contains({reader, author}) || world.blocks.contains({author, reader});
    const bool is_near = privacy == Privacy::kPublic || (privacy == Privacy::kFollowers &&
                                                         world.follows.contains({reader, author}));
    if (reader == author || (!severed && is_near)) messages.emplace(id, "post_removed");
  }
  const auto notices = state.notices.find(reader);
  if (notices != state.notices.end() && notices->second.contains(event.sequence)) {
    messages.emplace(id + 1, "notification");
  }
  return messages;
}

}  // namespace chirp::test
