// Goal: notifications follow their definition, whenever the consumer runs.
// Method: random worlds. Every list is computed again from the whole log and plain reads of the
// state, on each kind of store, with the consumer at any lag.
#include <algorithm>
#include <cstdlib>
#include <random>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/events/consumers.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "core/social/notifications.h"
#include "tests/support/fake_clock.h"
#include "tests/support/seeds.h"
#include "tests/support/storage_contract.h"

namespace chirp::test::random_notifications {
namespace {

using events::Event;
using events::Topic;
using social::NotificationKind;
using social::NotificationPage;
using social::NotificationQuery;

void take_in(const Subject& s, std::uint32_t events = 4096) {
  const FakeClock clock(s.now);
  (void)events::NotificationConsumer(s.storage(), clock, events).step();
}

// ---- visibility

bool welcome(const Snapshot& snapshot, UserNumber user, UserNumber actor) {
  const auto card = snapshot.find(tables::Cards::Key{actor});
  const ViewerRelation bond = snapshot.bonds(user, {&actor, 1}).front();
  return actor != user && card && card->presence == Presence::kPresent && !bond.severed() &&
         !bond.mutes;
}

bool may_see(const Snapshot& snapshot, UserNumber user, PostId id) {
  const auto post = snapshot.post(id);
  if (!post) return false;
  const ViewerRelation bond = snapshot.bonds(user, {&post->author, 1}).front();
  const AuthorAccess standing{reads::follows(snapshot, user, post->author).has_value(),
                              bond.severed()};
  return sees(Viewer::user(user), post->author, post->privacy, standing);
}

std::optional<Comment> comment_there(const Snapshot& snapshot, CommentId id) {
  const auto found = reads::comments(snapshot, {&id, 1});
  if (!found.front() || found.front()->state != CommentState::kThere) return std::nullopt;
  return found.front();
}

// Whether the comment exists, and neither its author nor the post's has blocked the other.
bool is_heard(const Snapshot& snapshot, CommentId id) {
  const auto comment = comment_there(snapshot, id);
  const auto post = comment ? snapshot.post(comment->post) : std::nullopt;
  return post && (post->author == comment->author ||
                  !snapshot.bonds(post->author, {&comment->author, 1}).front().severed());
}

// ---- the definition, from the whole log and the current state

constexpr std::int64_t kHourMs = 3'600'000;

bool is_within_a_day(Time one, Time two) { return std::abs(one.ms - two.ms) < 24 * kHourMs; }

bool is_same_act(const Event& one, const Event& two) {
  const bool can_be_repeated = one.topic == Topic::kFollowAdded ||
                               one.topic == Topic::kReactionSet ||
                               one.topic == Topic::kRepostCreated;
  const bool same_post =
      one.topic == Topic::kRepostCreated ? one.original == two.original : one.post == two.post;
  return can_be_repeated && one.topic == two.topic && one.actor == two.actor &&
         one.other == two.other && one.comment == two.comment && same_post;
}

// Returns the events that notify the user, oldest first, without acts that repeat an earlier one
// within a day.
std::vector<Event> telling(const std::vector<Event>& log, UserNumber user) {
  std::vector<Event> told;
  for (const Event& event : log) {
    if (event.topic == Topic::kReactionSet && event.reaction_before) continue;
    const bool is_about_others = event.other != user && event.topic != Topic::kCommentCreated;
    if (is_about_others || event.actor == user) continue;
    const bool again = std::any_of(told.begin(), told.end(), [&](const Event& before) {
      return is_same_act(before, event) && is_within_a_day(before.time, event.time);
    });
    if (!again) told.push_back(event);
  }
  return told;
}

// Returns when the act of the event was last done; empty if it was withdrawn. Loads do not count.
std::optional<Time> given_at(const Snapshot& snapshot, const Event& event) {
  if (event.topic == Topic::kFollowAdded) {
    return reads::follows(snapshot, event.actor, event.other);
  }
  if (event.topic == Topic::kRepostCreated) {
    const auto repost = snapshot.find(tables::RepostsOf::Key{event.original, event.actor});
    const auto post = repost ? snapshot.post(*repost) : std::nullopt;
    return post ? std::optional(post->created_at) : std::nullopt;
  }
  const ContentId content =
      event.comment != kNoComment ? content_of(event.comment) : content_of(event.post);
  const auto reaction = snapshot.find(tables::Reactions::Key{content, event.actor});
  return reaction && reaction->event != Sequence{0} ? std::optional(reaction->since) : std::nullopt;
}

// Whether the event is the newest notified one of the act that holds now.
bool is_given(const Snapshot& snapshot, const Event& event, const std::vector<Event>& told) {
  const auto at = given_at(snapshot, event);
  return at && is_within_a_day(*at, event.time) &&
         std::none_of(told.begin(), told.end(), [&](const Event& other) {
           return other.sequence > event.sequence && is_same_act(other, event);
         });
}

// Returns what the event means to the user now; empty if nothing.
std::optional<NotificationKind> meaning(const Snapshot& snapshot, UserNumber user,
                                        const Event& event, const std::vector<Event>& told) {
  if (!welcome(snapshot, user, event.actor)) return std::nullopt;
  switch (event.topic) {
    case Topic::kFollowAdded:
      return is_given(snapshot, event, told) ? std::optional(NotificationKind::kFollow)
                                             : std::nullopt;
    case Topic::kReactionSet: {
      if (!may_see(snapshot, user, event.post) || !is_given(snapshot, event, told)) {
        return std::nullopt;
      }
      if (event.comment != kNoComment && !is_heard(snapshot, event.comment)) return std::nullopt;
      return NotificationKind::kLike;
    }
    case Topic::kCommentCreated: {
      if (!is_heard(snapshot, event.comment) || !may_see(snapshot, user, event.post)) {
        return std::nullopt;
      }
      const auto parent = comment_there(snapshot, event.parent);
      if (parent && parent->author == user) return NotificationKind::kReply;
      if (event.other == user) return NotificationKind::kComment;
      return std::nullopt;
    }
    case Topic::kRepostCreated:
      if (!may_see(snapshot, user, event.original) || !is_given(snapshot, event, told)) {
        return std::nullopt;
      }
      return NotificationKind::kRepost;
    case Topic::kMentionCreated:
      if (!may_see(snapshot, user, event.post)) return std::nullopt;
      if (event.comment != kNoComment && !is_heard(snapshot, event.comment)) {
        return std::nullopt;
      }
      return NotificationKind::kMention;
    default:
      return std::nullopt;
  }
}

std::vector<std::pair<std::uint64_t, NotificationKind>> expected(const Snapshot& snapshot,
                                                                 UserNumber user) {
  const auto told = telling(reads::events(snapshot, Sequence{1}, kAll), user);
  std::vector<std::pair<std::uint64_t, NotificationKind>> list;
  for (auto at = told.rbegin(); at != told.rend(); ++at) {
    if (const auto kind = meaning(snapshot, user, *at, told)) {
      list.emplace_back(at->sequence.value, *kind);
    }
  }
  return list;
}

class RandomWorld {
 public:
  RandomWorld(const StoreKind& kind, std::uint64_t seed) : random_(seed), s_(kind) {
    s_.users(kUsers);
  }

  void step() {
    if (below(3) == 0) s_.now.ms += static_cast<std::int64_t>(below(3));
    if (below(12) == 0) s_.now.ms += static_cast<std::int64_t>(below(3)) * 12 * kHourMs;
    switch (below(26)) {
      case 0:
        if (below(20) == 0) s_.apply(MarkRemoved{anybody()});
        break;
      case 1:
        for (const UserNumber user : reads::unfinished_removals(*s_.see())) {
          (void)rules::remove_traces(s_.storage(), user, static_cast<std::uint32_t>(1 + below(4)),
                                     s_.now);
        }
        break;
      case 2:
        (void)rules::remove_post_traces(s_.storage(), static_cast<std::uint32_t>(1 + below(4)),
                                        s_.now);
        break;
      case 3:
      case 4:
        take_in(s_, static_cast<std::uint32_t>(1 + below(20)));
        break;
      case 5:
        (void)rules::mark_notified(s_.storage(), anybody(),
                                   Sequence{below(s_.log_end().value + 2)});
        break;
      default:
        act();
    }
    const UserNumber user = anybody();
    if (s_.see()->find(tables::Cards::Key{user})->presence == Presence::kPresent) check(user);
  }

 private:
  static constexpr std::uint32_t kUsers = 5;

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  UserNumber anybody() { return {static_cast<std::uint32_t>(1 + below(kUsers))}; }
  PostId some_post() {
    const auto posts = reads::rows_above<tables::Posts>(*s_.see(), {kBelowAllPosts}, kAll);
    return posts.empty() ? PostId{5} : posts[below(posts.size())].id;
  }
  CommentId some_comment() {
    const auto comments = reads::rows_above<tables::Comments>(*s_.see(), {kNoComment}, kAll);
    return comments.empty() ? CommentId{5} : comments[below(comments.size())].id;
  }

  void act() {
    const UserNumber one = anybody();
    const UserNumber two = anybody();
    const std::vector<UserNumber> mentions{UserNumber{1 + one.value % kUsers}};
    switch (below(15)) {
      case 0: {
        Publish post{one, "text"};
        post.privacy = static_cast<Privacy>(below(3));
        if (below(2) == 0) post.mentions = mentions;
        s_.apply(post);
        break;
      }
      case 1:
      case 2:
        if (one != two) s_.apply(Follow{one, two});
        break;
      case 3:
        if (one != two) s_.apply(Unfollow{one, two});
        break;
      case 4:
      case 5:
        s_.apply(React{one, some_post(), static_cast<ReactionType>(1 + below(5))});
        break;
      case 6:
        s_.apply(Unreact{one, some_post()});
        break;
      case 7: {
        AddComment comment{one, some_post(), "text"};
        if (below(2) == 0) comment.mentions = mentions;
        s_.apply(comment);
        break;
      }
      case 8:
        reply(one, below(3) == 0 ? mentions : std::vector<UserNumber>{});
        break;
      case 9:
        s_.apply(RemoveComment{some_comment()});
        break;
      case 10:
        if (below(2) == 0) {
          s_.apply(LikeComment{one, some_comment()});
        } else {
          s_.apply(UnlikeComment{one, some_comment()});
        }
        break;
      case 11:
        s_.apply(Repost{one, some_post()});
        break;
      case 12:
        s_.apply(Unrepost{one, some_post()});
        break;
      case 13:
        if (below(3) == 0) s_.apply(RemovePost{some_post()});
        break;
      default:
        if (one != two) relate(one, two);
    }
  }

  void reply(UserNumber author, std::vector<UserNumber> mentions) {
    const CommentId id = some_comment();
    const auto parent = s_.see()->find(tables::Comments::Key{id});
    if (parent) s_.apply(AddComment{author, parent->post, "reply", id, std::move(mentions)});
  }

  void relate(UserNumber one, UserNumber two) {
    const Relation relation = below(2) == 0 ? Relation::kBlock : Relation::kMute;
    if (below(3) == 0) {
      s_.apply(Relate{one, two, relation});
    } else {
      s_.apply(Unrelate{one, two, relation});
    }
  }

  void check(UserNumber user) {
    const auto snapshot = s_.see();
    const auto wanted = expected(*snapshot, user);
    const std::uint64_t read_to = reads::reading(*snapshot, user).notified.value;
    const auto unread = static_cast<std::size_t>(std::count_if(
        wanted.begin(), wanted.end(), [&](const auto& one) { return one.first > read_to; }));
    NotificationQuery query;
    query.user = user;
    query.limit = static_cast<std::uint32_t>(1 + below(6));
    if (below(4) == 0) query.wanted = social::WhichNotifications::kUnread;
    std::vector<std::pair<std::uint64_t, NotificationKind>> found;
    for (;;) {
      const NotificationPage page = notifications_in(*snapshot, query);
      CHECK(page.unread == unread);
      for (const auto& view : page.notifications) {
        found.emplace_back(view.id.value, view.kind);
        CHECK((view.state == social::ReadState::kRead) == (view.id.value <= read_to));
      }
      if (!page.next_cursor) break;
      CHECK(page.notifications.size() == query.limit);
      query.before = events::sequence_in(*page.next_cursor);
    }
    const bool all = query.wanted == social::WhichNotifications::kAll;
    CHECK(found == std::vector(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(
                                                                    all ? wanted.size() : unread)));
  }

  std::mt19937_64 random_;
  Subject s_;
};

}  // namespace

TEST_CASE("notifications: those of random worlds are as the definition says, at any lag") {
  for (const StoreKind& kind : store_kinds()) {
    for (std::uint64_t world = 0; world < worlds_on(kind, 8); ++world) {
      const std::uint64_t seed = first_seed() + world;
      CAPTURE(kind.name);
      CAPTURE(seed);
      RandomWorld random_world(kind, seed);
      for (int i = 0; i < 250; ++i) {
        CAPTURE(i);
        random_world.step();
      }
    }
  }
}

}  // namespace chirp::test::random_notifications
