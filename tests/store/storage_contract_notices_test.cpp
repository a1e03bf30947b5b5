// Goal: every store keeps mentions, idempotency keys, hashtags and notifications as
// core/ports/storage.h says.
// Method: each promise on a fresh store of every kind.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/limits.h"
#include "core/ports/reads.h"
#include "core/rules/settings.h"
#include "core/rules/writing.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

using events::Notification;
using events::Topic;
using Tagged = std::vector<TaggedPost>;

Publish keyed(UserNumber author, std::string text, std::string key) {
  Publish change{author, std::move(text)};
  change.idempotency_key = std::move(key);
  return change;
}

Notification told(UserNumber user, std::uint64_t sequence, UserNumber actor) {
  return {user, Sequence{sequence}, Topic::kFollowAdded, kStart, actor, {}, {}, {}};
}

}  // namespace

TEST_CASE("storage contract: mentions are logged behind their post") {
  for_each_store([](Subject& s) {
    const auto users = s.users(4);
    s.apply(MarkRemoved{users[3]});
    const Sequence before = s.log_end();
    Publish change{users[0], "text"};
    change.mentions = {users[2], users[3], users[1]};
    const Outcome done = s.apply(change);
    const auto events = s.events(before);
    REQUIRE(events.size() == 3);
    CHECK(events[0].topic == Topic::kPostCreated);
    for (std::size_t i = 1; i < 3; ++i) {
      CHECK(events[i] == events::Event{.sequence = Sequence{before.value + i},
                                       .topic = Topic::kMentionCreated,
                                       .time = s.now,
                                       .actor = users[0],
                                       .other = users[3 - i],
                                       .post = done.post});
    }
  });
}

TEST_CASE("storage contract: a key makes one post, for a day") {
  for_each_store([](Subject& s) {
    const auto users = s.users(2);
    const Outcome first = s.apply(keyed(users[0], "text", "k"));
    REQUIRE(first.result == Result::kDone);
    const Sequence end = s.log_end();
    s.now.ms += limits::kKeyKeptMs - 1;
    const Outcome again = s.apply(keyed(users[0], "text", "k"));
    CHECK(again.result == Result::kAlready);
    CHECK(again.post == first.post);
    CHECK(again.author == users[0]);
    CHECK(again.time == first.time);
    CHECK(s.apply(keyed(users[0], "another", "k")).result == Result::kConflict);
    Publish hidden = keyed(users[0], "text", "k");
    hidden.privacy = Privacy::kFollowers;
    CHECK(s.apply(hidden).result == Result::kConflict);
    CHECK(s.log_end() == end);

    CHECK(s.apply(keyed(users[1], "text", "k")).result == Result::kDone);
    CHECK(s.apply(keyed(users[0], "text", "K")).result == Result::kDone);
    CHECK(s.apply(Publish{users[0], "text"}).result == Result::kDone);

    s.now.ms += 1;  // the day is over, whether forgotten or not
    const Outcome later = s.apply(keyed(users[0], "text", "k"));
    CHECK(later.result == Result::kDone);
    CHECK(later.post > first.post);
    CHECK(s.apply(keyed(users[0], "text", "k")).post == later.post);
    CHECK(s.see()->problems().empty());
  });
}

TEST_CASE("storage contract: a key whose post is gone is a conflict, two in one commit are one") {
  for_each_store([](Subject& s) {
    const auto users = s.users(1);
    const std::vector<Change> changes{keyed(users[0], "text", "k"), keyed(users[0], "text", "k")};
    const auto outcomes = s.storage().write(changes, s.now);
    CHECK(outcomes[0].result == Result::kDone);
    CHECK(outcomes[1].result == Result::kAlready);
    CHECK(outcomes[1].post == outcomes[0].post);
    s.apply(RemovePost{outcomes[0].post});
    CHECK(s.apply(keyed(users[0], "text", "k")).result == Result::kConflict);
  });
}

TEST_CASE("storage contract: keys are forgotten oldest first, in bounded steps") {
  for_each_store([](Subject& s) {
    const auto users = s.users(1);
    const Time start = s.now;
    for (int i = 0; i < 5; ++i) {
      s.apply(keyed(users[0], "text", fmt::format("k{}", i)));
      s.now.ms += 10;
    }
    CHECK(s.see()->oldest_key() == start);
    CHECK(rules::forget_keys(s.storage(), start, 10) == 0);
    CHECK(rules::forget_keys(s.storage(), Time{start.ms + 30}, 2) == 2);
    CHECK(s.see()->oldest_key() == Time{start.ms + 20});
    CHECK(rules::forget_keys(s.storage(), Time{start.ms + 30}, 2) == 1);
    CHECK(s.apply(keyed(users[0], "text", "k0")).result == Result::kDone);
    CHECK(s.apply(keyed(users[0], "text", "k3")).result == Result::kAlready);
    CHECK(rules::forget_keys(s.storage(), s.now, 10) == 2);
    CHECK(s.see()->oldest_key() == s.now);
    CHECK(s.see()->problems().empty());
  });
}

TEST_CASE("storage contract: hashtags are those of public posts that are there") {
  for_each_store([](Subject& s) {
    const auto users = s.users(2);
    const PostId kept = s.apply(Publish{users[0], "#a #b"}).post;
    const PostId gone = s.apply(Publish{users[0], "#a"}).post;
    const PostId hidden = s.apply(Publish{users[0], "#a", Privacy::kFollowers}).post;
    const PostId last = s.apply(Publish{users[1], "#c"}).post;
    TrendStep step{s.state().trends, s.log_end(), {}, {}, 0};
    step.posts = {{kept, users[0], {"a", "b"}},
                  {gone, users[0], {"a"}},
                  {hidden, users[0], {"a"}},
                  {last, users[1], {"c"}}};
    s.apply(RemovePost{gone});
    REQUIRE(rules::commit(s.storage(), step, s.now));
    CHECK(s.state().trends == step.to);
    CHECK_FALSE(rules::commit(s.storage(), step, s.now));
    CHECK(reads::tagged_posts(*s.see(), kAboveAllPosts, 9) ==
          Tagged{{last, users[1], {"c"}}, {kept, users[0], {"a", "b"}}});
    CHECK(reads::tagged_posts(*s.see(), last, 9) == Tagged{{kept, users[0], {"a", "b"}}});
    CHECK(reads::tagged_posts(*s.see(), kAboveAllPosts, 1) == Tagged{{last, users[1], {"c"}}});
    CHECK(reads::oldest_tagged_post(*s.see()) == kept);
    s.apply(RemovePost{kept});
    CHECK(reads::oldest_tagged_post(*s.see()) == last);
    CHECK(s.see()->problems().empty());
  });
}

TEST_CASE("storage contract: old hashtags go oldest first, a post's together") {
  for_each_store([](Subject& s) {
    const auto users = s.users(1);
    std::vector<PostId> posts;
    TrendStep step;
    for (int i = 0; i < 4; ++i) {
      posts.push_back(s.apply(Publish{users[0], "#a #b"}).post);
      step.posts.push_back({posts.back(), users[0], {"a", "b"}});
      s.now.ms += 10;
    }
    step.from = s.state().trends;
    step.to = s.log_end();
    REQUIRE(rules::commit(s.storage(), step, s.now));
    step = {step.to, step.to, {}, Time{kStart.ms + 20}, 3};
    REQUIRE(rules::commit(s.storage(), step, s.now));
    CHECK(reads::oldest_tagged_post(*s.see()) == posts[1]);
    step.drop = 100;
    REQUIRE(rules::commit(s.storage(), step, s.now));
    CHECK(reads::oldest_tagged_post(*s.see()) == posts[2]);
  });
}

TEST_CASE("storage contract: loaded posts of the last days bring their hashtags along") {
  for_each_store([](Subject& s) {
    const auto users = s.users(1);
    const std::vector<LoadedPost> posts{
        {SourceId{1}, users[0], Time{s.now.ms - kTagsKeptMs - 1}, "#old"},
        {SourceId{2}, users[0], Time{s.now.ms - kTagsKeptMs}, "#young #Young"},
        {SourceId{3}, users[0], s.now, "none"}};
    rules::load_posts(s.storage(), posts, s.now);
    const auto found = reads::tagged_posts(*s.see(), kAboveAllPosts, 9);
    REQUIRE(found.size() == 1);
    CHECK(found[0].author == users[0]);
    CHECK(found[0].tags == std::vector<std::string>{"young"});
    const Post restored{PostId{snowflake::make(snowflake::ticks_of(s.now), 900, 1)},
                        users[0],
                        "#back",
                        s.now,
                        Privacy::kPublic,
                        std::nullopt};
    rules::restore_posts(s.storage(), {&restored, 1}, s.now);
    CHECK(reads::tagged_posts(*s.see(), kAboveAllPosts, 1) ==
          Tagged{{restored.id, users[0], {"back"}}});
  });
}

TEST_CASE("storage contract: notifications are kept by user, the newest of them") {
  for_each_store([](Subject& s) {
    const auto users = s.users(3);
    s.apply(MarkRemoved{users[2]});
    NotificationStep step{s.state().notifications, s.log_end(), {}, 3};
    for (std::uint64_t i = 1; i <= 4; ++i)
      step.notifications.push_back(told(users[0], i, users[1]));
    step.notifications.push_back(told(users[1], 2, users[0]));
    step.notifications.push_back(told(users[2], 3, users[0]));
    REQUIRE(rules::commit(s.storage(), step, s.now));
    CHECK(s.state().notifications == step.to);
    CHECK_FALSE(rules::commit(s.storage(), step, s.now));
    const auto snapshot = s.see();
    const auto all = reads::notifications(*snapshot, users[0], Sequence{99}, 9);
    REQUIRE(all.size() == 3);
    for (std::uint64_t i = 0; i < 3; ++i) CHECK(all[i] == told(users[0], 4 - i, users[1]));
    CHECK(reads::notifications(*snapshot, users[0], Sequence{4}, 1).front().sequence ==
          Sequence{3});
    CHECK(reads::notifications(*snapshot, users[1], Sequence{99}, 9).size() == 1);
    CHECK(reads::notifications(*snapshot, users[2], Sequence{99}, 9).empty());
    CHECK(snapshot->table_rows().at("notifications") == 4);
    const auto walked =
        reads::rows_above<tables::Notifications>(*snapshot, {users[0], Sequence{2}}, 9);
    REQUIRE(walked.size() == 3);
    CHECK(walked[0].sequence == Sequence{3});
    CHECK(walked[2].user == users[1]);
    CHECK(snapshot->problems().empty());
  });
}

TEST_CASE("storage contract: a notification carries all of what it is about") {
  for_each_store([](Subject& s) {
    const auto users = s.users(2);
    const Notification whole{users[0], Sequence{1}, Topic::kCommentCreated, s.now,
                             users[1], PostId{17},  CommentId{18},          CommentId{19}};
    const NotificationStep step{s.state().notifications, s.log_end(), {whole}, 3};
    REQUIRE(rules::commit(s.storage(), step, s.now));
    CHECK(reads::notifications(*s.see(), users[0], Sequence{99}, 9) == std::vector{whole});
  });
}

TEST_CASE("storage contract: the reading mark rises, up to the end of the log") {
  for_each_store([](Subject& s) {
    const auto users = s.users(3);
    CHECK(reads::reading(*s.see(), users[0]).notified == Sequence{0});
    CHECK(rules::mark_notified(s.storage(), users[0], Sequence{2}));
    CHECK_FALSE(rules::mark_notified(s.storage(), users[0], Sequence{2}));
    CHECK_FALSE(rules::mark_notified(s.storage(), users[0], Sequence{1}));
    CHECK(reads::reading(*s.see(), users[0]).notified == Sequence{2});
    CHECK(rules::mark_notified(s.storage(), users[0], Sequence{1000}));
    CHECK(reads::reading(*s.see(), users[0]).notified.value == s.log_end().value - 1);
    CHECK_FALSE(rules::mark_notified(s.storage(), UserNumber{9}, Sequence{2}));
    CHECK(reads::reading(*s.see(), users[1]).notified == Sequence{0});
  });
}

TEST_CASE(
    "storage contract: a log that goes on behind a number forgets what was, and tells what comes") {
  for_each_store([](Subject& s) {
    const auto users = s.users(3);
    s.follow(users[0], users[1]);
    s.drain();
    const auto go_on = [&](Sequence last) {
      return s.storage().decide(s.now, Purpose::kLoad,
                                [&](Rows& rows) { return rules::continue_log(rows, last); });
    };
    const Sequence end = s.log_end();
    const auto before = s.events();
    REQUIRE_FALSE(before.empty());
    CHECK_FALSE(go_on(Sequence{end.value - 1}));
    CHECK(s.events() == before);
    CHECK(s.log_end() == end);

    const Sequence last{end.value + 40};
    CHECK(go_on(last));
    const Sequence next{last.value + 1};
    CHECK(s.events(next).empty());
    for (const auto& event : before)
      CHECK_FALSE(s.see()->find(tables::Events::Key{event.sequence}));
    const StoreState state = s.state();
    for (const Sequence place : {state.log_first, state.log_end, state.fan_out, state.fan_out_reach,
                                 state.counters, state.notifications, state.trends}) {
      CHECK(place == next);
    }
    CHECK_FALSE(go_on(last));

    s.follow(users[2], users[1]);
    const auto after = s.events(next);
    REQUIRE_FALSE(after.empty());
    CHECK(after.front().sequence == next);
    s.drain();
    CHECK(s.counters(users[1]).followers == 2);
    CHECK(breaches(*s.see()).empty());
    // Whoever has read as far as the log of before went has yet to read this.
    CHECK(rules::mark_notified(s.storage(), users[1], last));
    const auto told_now = reads::notifications(*s.see(), users[1], Sequence{next.value + 9}, 1);
    REQUIRE(told_now.size() == 1);
    CHECK(told_now.front().sequence == next);
    CHECK(reads::reading(*s.see(), users[1]).notified < next);
  });
}

TEST_CASE("storage contract: the log keeps what any consumer has yet to process") {
  for_each_store([](Subject& s) {
    s.users(3);
    s.now.ms += 1;
    s.drain();
    const Sequence end = s.log_end();
    CHECK(rules::trim_log(s.storage(), s.now, 1) == 1);
    CHECK(rules::trim_log(s.storage(), s.now, kAll) == end.value - 2);
    s.post(UserNumber{1});
    s.now.ms += 1;
    REQUIRE(rules::commit(s.storage(), fan_out_step(*s.see(), s.log_end()), s.now));
    REQUIRE(rules::commit(s.storage(), counter_step(*s.see(), s.log_end()), s.now));
    CHECK(rules::trim_log(s.storage(), s.now, kAll) == 0);
    REQUIRE(rules::commit(s.storage(), notification_step(*s.see(), 9), s.now));
    CHECK(rules::trim_log(s.storage(), s.now, kAll) == 0);
    REQUIRE(rules::commit(s.storage(), trend_step(*s.see(), {}, 0), s.now));
    CHECK(rules::trim_log(s.storage(), s.now, kAll) == 1);
  });
}

TEST_CASE("storage contract: a removed user's keys, notifications and hashtags go with them") {
  for_each_store([](Subject& s) {
    const auto users = s.users(2);
    Publish change = keyed(users[0], "#a #b", "k");
    change.mentions = {users[1]};
    s.apply(change);
    for (int i = 0; i < 5; ++i) s.apply(keyed(users[1], "#a", fmt::format("k{}", i)));
    s.follow(users[0], users[1]);
    REQUIRE(rules::commit(s.storage(), notification_step(*s.see(), 9), s.now));
    REQUIRE(rules::commit(s.storage(), trend_step(*s.see(), {}, 0), s.now));
    CHECK(reads::notifications(*s.see(), users[1], Sequence{99}, 9).size() == 2);
    CHECK(rules::mark_notified(s.storage(), users[1], Sequence{3}));
    s.apply(MarkRemoved{users[1]});
    int steps = 1;
    while (!rules::remove_traces(s.storage(), users[1], 2, s.now)) ++steps;
    CHECK(steps > 5);
    CHECK(reads::notifications(*s.see(), users[1], Sequence{99}, 9).empty());
    CHECK(reads::reading(*s.see(), users[1]).notified == Sequence{0});
    CHECK(reads::tagged_posts(*s.see(), kAboveAllPosts, 9).size() == 1);
    CHECK(rules::forget_keys(s.storage(), Time{s.now.ms + 1}, kAll) == 1);
    CHECK(s.see()->problems().empty());
  });
}

TEST_CASE("storage contract: hashtags and notifications are repaired as asked") {
  for_each_store([](Subject& s) {
    const auto users = s.users(2);
    const PostId post = s.apply(Publish{users[0], "#a"}).post;
    const std::vector<TaggedPost> wanted{{post, users[0], {"a", "b"}},
                                         {PostId{5}, users[0], {"nothing"}}};
    rules::repair_tags(s.storage(), wanted, {}, s.now);
    CHECK(reads::tagged_posts(*s.see(), kAboveAllPosts, 9) == Tagged{wanted[0]});
    const TaggedPost fewer{post, users[0], {"b"}};
    rules::repair_tags(s.storage(), {&fewer, 1}, {}, s.now);
    CHECK(reads::tagged_posts(*s.see(), kAboveAllPosts, 9) == Tagged{fewer});
    const Notification one = told(users[0], 1, users[1]);
    const Notification two = told(users[0], 2, users[1]);
    rules::repair_notifications(s.storage(), {}, {&one, 1}, s.now);
    rules::repair_notifications(s.storage(), {&one, 1}, {&two, 1}, s.now);
    CHECK(reads::notifications(*s.see(), users[0], Sequence{99}, 9) == std::vector{two});
    s.apply(MarkRemoved{users[1]});
    const Notification gone = told(users[1], 1, users[0]);
    rules::repair_notifications(s.storage(), {}, {&gone, 1}, s.now);
    CHECK(reads::notifications(*s.see(), users[1], Sequence{99}, 9).empty());
    CHECK(s.see()->problems().empty());
  });
}

}  // namespace chirp::test
