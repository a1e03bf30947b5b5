// Goal: a removed user is hidden at once, and every trace goes in bounded steps; how far they have
// read is kept until then.
// Method: a user with posts and edges both ways is removed a few rows at a time, on every store.
#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {

using events::Event;
using events::Topic;

TEST_CASE("storage contract: a user marked as removed is hidden at once") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    s.follow(u[0], u[1]);
    s.follow(u[0], u[2]);
    const PostId post = s.post(u[1]);
    const Sequence before = s.log_end();
    CHECK(s.apply(MarkRemoved{u[1]}).result == Result::kDone);
    CHECK(s.apply(MarkRemoved{u[1]}).result == Result::kAlready);
    CHECK(s.apply(MarkRemoved{UserNumber{77}}).result == Result::kMissing);
    CHECK(s.events(before) == std::vector{Event{before, Topic::kUserRemoved, s.now, u[1]}});

    const auto snapshot = s.see();
    CHECK(snapshot->find(tables::Cards::Key{u[1]})->presence == Presence::kRemoved);
    CHECK(snapshot->find(tables::Cards::Key{u[1]})->username == card(2).username);
    CHECK_FALSE(snapshot->post(post));
    CHECK_FALSE(snapshot->posts(std::vector<Entry>{{post, u[1]}}).front());
    CHECK(snapshot->author_entries(u, {}, Direction::kDown, 9).empty());
    const FeedSources sources = snapshot->feed_sources(u[0]);
    CHECK(sources.following == std::vector{u[2]});
    CHECK(sources.pending.empty());
    CHECK(snapshot->feed_sources(u[1]).following.empty());
    CHECK_FALSE(snapshot->feed_sources(u[1]).has_timeline);
    CHECK(reads::unfinished_removals(*snapshot) == std::vector{u[1]});

    CHECK(s.apply(Publish{u[1], "text"}).result == Result::kMissing);
    CHECK(s.apply(Follow{u[2], u[1]}).result == Result::kMissing);
    CHECK(s.apply(Unfollow{u[0], u[1]}).result == Result::kMissing);
    CHECK(s.apply(RemovePost{post}).result == Result::kMissing);
    CHECK(s.apply(PutCard{card(2)}).result == Result::kMissing);
    CHECK(s.log_end().value == before.value + 1);
  });
}

TEST_CASE("storage contract: traces go in bounded steps, with the counters of others") {
  for_each_store([](Subject& s) {
    const auto u = s.users(6);
    const UserNumber gone = u[0];
    for (std::size_t i = 1; i < u.size(); ++i) {
      s.follow(u[i], gone);
      s.follow(gone, u[i]);
    }
    for (int i = 0; i < 5; ++i) s.post(gone);
    const PostId other = s.post(u[1]);
    s.drain();
    s.post(gone);  // pending when the removal begins
    s.apply(Unfollow{u[5], gone});
    s.apply(MarkRemoved{gone});
    const Sequence before = s.log_end();

    int steps = 1;
    while (!rules::remove_traces(s.storage(), gone, 2, s.now)) {
      REQUIRE(++steps < 20);
      CHECK(reads::unfinished_removals(*s.see()) == std::vector{gone});
    }
    CHECK(steps >= 6);  // 6 posts, 9 edges, a timeline: no step takes more than it may
    CHECK(s.events(before).empty());
    const auto snapshot = s.see();
    CHECK(reads::unfinished_removals(*snapshot).empty());
    const auto left = snapshot->find(tables::Cards::Key{gone});
    REQUIRE(left);
    CHECK(left->presence == Presence::kRemoved);
    CHECK(left->id == card(1).id);
    CHECK(left->username.empty());
    CHECK(left->display_name.empty());
    const auto posts = reads::rows_above<tables::Posts>(*snapshot, {kBelowAllPosts}, kAll);
    REQUIRE(posts.size() == 1);
    CHECK(posts.front().id == other);
    CHECK(reads::following(*snapshot, gone, kNobody, 9).edges.empty());
    CHECK(reads::followers(*snapshot, gone, kNobody, 9).edges.empty());
    CHECK_FALSE(snapshot->timeline(gone));
    CHECK_FALSE(snapshot->find(tables::Marks::Key{gone}));
    for (std::size_t i = 1; i < u.size(); ++i) {
      CHECK(reads::following(*snapshot, u[i], kNobody, 9).edges.empty());
      CHECK(s.counters(u[i]) == UserCounters{0, 0, i == 1 ? 1 : 0});
    }
    s.drain();  // what was pending cancels out
    for (std::size_t i = 1; i < u.size(); ++i) {
      CHECK(s.counters(u[i]) == UserCounters{0, 0, i == 1 ? 1 : 0});
    }
    CHECK(breaches(*s.see()).empty());
    CHECK(rules::remove_traces(s.storage(), gone, 2, s.now));
  });
}

TEST_CASE("storage contract: removing a follower takes the tier along") {
  for_each_store([](Subject& s) {
    s.change_settings([](auto& settings) { settings.influencer_from = 3; });
    const auto u = s.users(4);
    for (std::size_t i = 1; i < u.size(); ++i) s.follow(u[i], u[0]);
    s.drain();
    REQUIRE(s.mark(u[0]).tier == feed::Tier::kInfluencer);
    s.apply(MarkRemoved{u[1]});
    const Sequence before = s.log_end();
    while (!rules::remove_traces(s.storage(), u[1], 1, s.now)) {
    }
    CHECK(s.mark(u[0]).tier == feed::Tier::kRegular);
    const auto events = s.events(before);
    REQUIRE(events.size() == 1);
    CHECK(events[0] == Event{before, Topic::kTierChanged, s.now, u[0], kNobody, {}, 0});
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: the reading position is kept, up and down, and goes with its user") {
  for_each_store([](Subject& s) {
    const auto users = s.users(2);
    CHECK(reads::reading(*s.see(), users[0]) == ReadingMarks{});
    CHECK(rules::mark_feed(s.storage(), users[0], PostId{50}));
    CHECK(reads::reading(*s.see(), users[0]).feed == PostId{50});
    CHECK_FALSE(reads::reading(*s.see(), users[1]).feed);
    const auto held = s.see();
    CHECK(rules::mark_feed(s.storage(), users[0], PostId{7}));
    CHECK(rules::mark_feed(s.storage(), users[0], PostId{7}));
    CHECK(reads::reading(*s.see(), users[0]).feed == PostId{7});
    CHECK(reads::reading(*held, users[0]).feed == PostId{50});
    CHECK(rules::mark_feed(s.storage(), users[1], kBelowAllPosts));
    CHECK(reads::reading(*s.see(), users[1]).feed == kBelowAllPosts);
    CHECK_FALSE(rules::mark_feed(s.storage(), UserNumber{99}, PostId{7}));
    CHECK_FALSE(reads::reading(*s.see(), UserNumber{99}).feed);

    s.apply(MarkRemoved{users[0]});
    CHECK_FALSE(rules::mark_feed(s.storage(), users[0], PostId{8}));
    while (!rules::remove_traces(s.storage(), users[0], 5, s.now)) {
    }
    CHECK(reads::reading(*s.see(), users[0]) == ReadingMarks{});
    CHECK(breaches(*s.see()) == std::vector<std::string>{});
  });
}

}  // namespace chirp::test
