// Goal: a user is notified of others' acts, once, as long as these hold and may be seen, whenever
// the consumer runs.
// Method: small worlds by hand; and random ones in which every list is derived again from the whole
// log and plain reads of the state, on each kind of store, with the consumer at any lag.
#include "core/social/notifications.h"

#include <span>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/error.h"
#include "core/events/consumers.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/fake_clock.h"
#include "tests/support/seeds.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

using events::Event;
using events::Topic;
using social::NotificationKind;
using social::NotificationPage;
using social::NotificationQuery;

NotificationPage page_of(const Subject& s, UserNumber user, NotificationQuery query = {}) {
  query.user = user;
  return notifications_in(*s.see(), query);
}

constexpr std::int64_t kHourMs = 3'600'000;

// `follow 2 like 1 …`, newest first: what, by whom.
std::string words(const NotificationPage& page) {
  std::string text;
  for (const auto& view : page.notifications) {
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : " ", name(view.kind), view.actor.number.value);
  }
  return text;
}

void take_in(const Subject& s, std::uint32_t events = 4096) {
  const FakeClock clock(s.now);
  (void)events::NotificationConsumer(s.storage(), clock, events).step();
}

}  // namespace

TEST_CASE("notifications: each kind goes to the users concerned, before and after the consumer") {
  for_each_store([](Subject& s) {
    const auto users = s.users(4);
    const PostId post = s.post(users[0]);
    s.follow(users[1], users[0]);
    s.apply(React{users[1], post, ReactionType::kLove});
    const CommentId comment = s.apply(AddComment{users[1], post, "c"}).comment;
    s.apply(AddComment{users[2], post, "r", comment});
    s.apply(Repost{users[2], post});
    Publish mentioning{users[3], "text"};
    mentioning.mentions = {users[0]};
    s.apply(mentioning);
    s.apply(LikeComment{users[0], comment});
    s.apply(React{users[0], post, ReactionType::kLike});
    for (int round = 0; round < 2; ++round) {
      CHECK(words(page_of(s, users[0])) ==
            "mention 4 repost 3 comment 3 comment 2 like 2 follow 2");
      CHECK(words(page_of(s, users[1])) == "like 1 reply 3");
      CHECK(words(page_of(s, users[3])).empty());
      take_in(s);
    }
    CHECK(reads::notifications(*s.see(), users[0], Sequence{999}, 99).size() == 6);
  });
}

TEST_CASE("notifications: what is undone, hidden or muted is left out, and comes back") {
  for_each_store([](Subject& s) {
    const auto users = s.users(3);
    const PostId post = s.post(users[0]);
    s.apply(React{users[1], post, ReactionType::kLike});
    s.follow(users[1], users[0]);
    take_in(s);
    s.apply(Unreact{users[1], post});
    CHECK(words(page_of(s, users[0])) == "follow 2");
    s.apply(React{users[1], post, ReactionType::kLike});
    s.apply(React{users[1], post, ReactionType::kSad});
    CHECK(words(page_of(s, users[0])) == "follow 2 like 2");
    CHECK(page_of(s, users[0]).notifications.back().reaction == ReactionType::kSad);
    s.apply(Relate{users[0], users[1], Relation::kMute});
    CHECK(words(page_of(s, users[0])).empty());
    s.apply(Unrelate{users[0], users[1], Relation::kMute});
    CHECK(words(page_of(s, users[0])) == "follow 2 like 2");
    s.apply(Relate{users[1], users[0], Relation::kBlock});
    CHECK(words(page_of(s, users[0])).empty());
    s.apply(Unrelate{users[1], users[0], Relation::kBlock});
    CHECK(words(page_of(s, users[0])) == "like 2");  // the block ended the follow
    s.apply(MarkRemoved{users[1]});
    CHECK(words(page_of(s, users[0])).empty());
  });
}

TEST_CASE("notifications: what is given again within a day is the first, with its read state") {
  for_each_store([](Subject& s) {
    const auto users = s.users(2);
    const UserNumber reader = users[0];
    const UserNumber actor = users[1];
    const PostId post = s.post(reader);
    const CommentId comment = s.apply(AddComment{reader, post, "c"}).comment;
    struct Act {
      const char* words;
      Change give;
      Change take_back;
    };
    const std::vector<Act> acts{
        {"follow 2", Follow{actor, reader}, Unfollow{actor, reader}},
        {"like 2", React{actor, post, ReactionType::kLove}, Unreact{actor, post}},
        {"like 2", LikeComment{actor, comment}, UnlikeComment{actor, comment}},
        {"repost 2", Repost{actor, post}, Unrepost{actor, post}},
    };
    for (const Act& act : acts) {
      CAPTURE(act.words);
      s.now.ms += 48 * kHourMs;
      s.apply(act.give);
      const auto first = page_of(s, reader).notifications.front();
      CHECK(first.created_at == s.now);
      rules::mark_notified(s.storage(), reader, first.id);
      for (int i = 1; i < 10; ++i) {
        CAPTURE(i);
        s.now.ms += 2 * kHourMs;
        s.apply(act.take_back);
        CHECK(page_of(s, reader).notifications.empty());
        if (i % 3 == 0) take_in(s);
        s.apply(act.give);
        if (i % 2 == 0) take_in(s);
        const auto page = page_of(s, reader);
        CHECK(words(page) == act.words);
        CHECK(page.unread == 0);
        CHECK(page.notifications.front().public_id == first.public_id);
        CHECK(page.notifications.front().created_at == first.created_at);
      }
      s.apply(act.take_back);
      s.now.ms = first.created_at.ms + 24 * kHourMs;
      s.apply(act.give);
      for (int round = 0; round < 2; ++round) {
        const auto page = page_of(s, reader);
        CHECK(words(page) == act.words);
        CHECK(page.unread == 1);
        CHECK(page.notifications.front().id > first.id);
        take_in(s);
      }
      s.apply(act.take_back);
    }
  });
}

TEST_CASE("notifications: only the newest that are kept are looked through for the first") {
  for (const std::uint32_t between : {62u, 63u, 64u}) {
    CAPTURE(between);
    for_each_store([&](Subject& s) {
      const auto users = s.users(3 + between);
      const std::span crowd = std::span(users).subspan(2);
      s.follow(users[1], users[0]);
      for (std::uint32_t i = 0; i < between; ++i) {
        s.follow(crowd[i], users[0]);
        if (i == between / 2) take_in(s);
      }
      s.apply(Unfollow{users[1], users[0]});
      ++s.now.ms;
      s.follow(users[1], users[0]);
      for (int round = 0; round < 2; ++round) {
        NotificationQuery query;
        query.limit = 100;
        const auto page = page_of(s, users[0], query);
        CHECK(page.notifications.size() == between + 1);
        const bool is_first = page.notifications.back().actor.number == users[1];
        CHECK(is_first == (between < 64));
        take_in(s);
      }
    });
  }
}

TEST_CASE("notifications: reading marks, and pages go on where they ended") {
  for_each_store([](Subject& s) {
    const auto users = s.users(6);
    for (std::size_t i = 1; i < 6; ++i) s.follow(users[i], users[0]);
    take_in(s, 8);
    NotificationQuery query;
    query.limit = 2;
    const auto first = page_of(s, users[0], query);
    CHECK(words(first) == "follow 6 follow 5");
    CHECK(first.unread == 5);
    REQUIRE(first.next_cursor);
    query.before = events::sequence_in(*first.next_cursor);
    CHECK(words(page_of(s, users[0], query)) == "follow 4 follow 3");
    rules::mark_notified(s.storage(), users[0], first.notifications.back().id);
    query = {};
    query.wanted = social::WhichNotifications::kUnread;
    CHECK(words(page_of(s, users[0], query)) == "follow 6");
    CHECK(page_of(s, users[0]).notifications.back().state == social::ReadState::kRead);
    query.limit = 0;
    CHECK_THROWS_AS(page_of(s, users[0], query), Error);
    query.limit = 101;
    CHECK_THROWS_AS(page_of(s, users[0], query), Error);
  });
}

}  // namespace chirp::test
