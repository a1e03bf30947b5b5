// Goal: every store keeps timelines by their rules: sources, backfill, deliveries, caps, guards.
// Method: each rule on its own, then the invariant of timelines on what is left.
#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

using Ids = std::vector<std::uint64_t>;

Ids ids_of(const std::vector<Entry>& entries) {
  Ids ids;
  for (const Entry& entry : entries) ids.push_back(entry.id.value);
  return ids;
}

FanOutStep moving(Sequence from, Sequence to) {
  FanOutStep step;
  step.from = from;
  step.to = to;
  return step;
}

// A step that leaves the offset where it is.
FanOutStep part(Subject& s) { return moving(s.state().fan_out, s.state().fan_out); }

}  // namespace

TEST_CASE("storage contract: sources name followees, marks and the pending tail") {
  for_each_store([](Subject& s) {
    // One follower makes an influencer, who has no push-from mark; two make a celebrity.
    s.change_settings([](auto& settings) {
      settings.influencer_from = 1;
      settings.celebrity_above = 1;
    });
    const auto u = s.users(4);
    s.follow(u[1], u[2]);
    s.follow(u[3], u[2]);
    s.follow(u[1], u[0]);
    s.drain();
    const PostId followed = s.post(u[0]);
    s.post(u[3]);
    const PostId own = s.post(u[1]);
    const FeedSources sources = s.see()->feed_sources(u[1]);
    CHECK(sources.following == std::vector{u[0], u[2]});
    CHECK(ids_of(sources.pending) == Ids{own.value, followed.value});
    CHECK(sources.has_timeline);
    CHECK(sources.complete_from == kBelowAllPosts);
    CHECK(sources.last_read == Time{s.now.ms - s.now.ms % kDayMs});
    CHECK(sources.marks ==
          std::vector{feed::AuthorMark{u[2], feed::Tier::kCelebrity, feed::kNeverPushed}});
    CHECK(sources.state.fan_out < sources.state.log_end);
    s.drain();
    CHECK(s.see()->feed_sources(u[1]).pending.empty());
    const FeedSources nobody = s.see()->feed_sources(UserNumber{99});
    CHECK(nobody.following.empty());
    CHECK_FALSE(nobody.has_timeline);
    CHECK(nobody.state.log_end == s.log_end());
  });
}

TEST_CASE("storage contract: unfinished rows are pending, and no id twice") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    s.follow(u[0], u[1]);
    s.drain();
    const Sequence first = s.log_end();
    const PostId post = s.post(u[1]);
    FanOutStep step = moving(first, Sequence{first.value + 1});
    step.queue = {{first, post, u[1], kNobody}};
    REQUIRE(rules::commit(s.storage(), step, s.now));
    CHECK(s.state().fan_out == s.log_end());
    CHECK(s.state().fan_out_queue == 1);
    CHECK(reads::fan_out_queue(*s.see(), 9) == step.queue);
    CHECK(ids_of(s.see()->feed_sources(u[0]).pending) == Ids{post.value});
    CHECK(ids_of(s.see()->feed_sources(u[1]).pending) == Ids{post.value});
    CHECK(s.see()->feed_sources(u[2]).pending.empty());
    CHECK(s.timeline_ids(u[0]).empty());
    CHECK(breaches(*s.see()).empty());

    FanOutStep further = part(s);  // a part of the row's work
    further.queue = {{first, post, u[1], u[0]}};
    further.deliveries = {{u[0], post, u[1]}};
    REQUIRE(rules::commit(s.storage(), further, s.now));
    CHECK(reads::fan_out_queue(*s.see(), 9) == further.queue);
    CHECK(s.timeline_ids(u[0]) == Ids{post.value});

    const Sequence second = s.log_end();
    const PostId later = s.post(u[1]);
    FanOutStep both = moving(second, Sequence{second.value + 1});
    both.queue = {{second, later, u[1], kNobody}};
    REQUIRE(rules::commit(s.storage(), both, s.now));
    CHECK(reads::fan_out_queue(*s.see(), 1) == further.queue);  // oldest first
    CHECK(ids_of(s.see()->feed_sources(u[0]).pending) == Ids{later.value, post.value});

    FanOutStep last = part(s);
    last.deliveries = {{u[0], later, u[1]}, {u[1], later, u[1]}, {u[1], post, u[1]}};
    last.finished = {first, second};
    REQUIRE(rules::commit(s.storage(), last, s.now));
    CHECK(s.state().fan_out_queue == 0);
    CHECK(s.see()->feed_sources(u[0]).pending.empty());
    CHECK(s.timeline_ids(u[0]) == Ids{later.value, post.value});
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: deliveries are a set, and the offset is where it started") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    s.follow(u[0], u[1]);
    const PostId old = s.post(u[1]);
    const PostId young = s.post(u[1]);
    const FanOutStep step = fan_out_step(*s.see(), s.log_end());
    REQUIRE(rules::commit(s.storage(), step, s.now));
    CHECK(s.timeline_ids(u[0]) == Ids{young.value, old.value});
    CHECK(s.see()->timeline(u[0])->entries.front() == Entry{young, u[1], Origin::kPushed});

    const StoreState before = s.state();
    FanOutStep stale = step;
    stale.deliveries.push_back({u[2], old, u[1]});
    stale.marks = {{u[1], feed::Tier::kRegular, feed::kNeverPushed}};
    stale.delivery_ns = 9999;
    CHECK_FALSE(rules::commit(s.storage(), stale, s.now));
    CHECK(s.timeline_ids(u[2]).empty());
    CHECK(s.state().fan_out == before.fan_out);
    CHECK(s.state().delivery_ns == before.delivery_ns);

    FanOutStep again = part(s);
    again.deliveries = step.deliveries;
    again.delivery_ns = 9999;
    CHECK(rules::commit(s.storage(), again, s.now));
    CHECK(s.timeline_ids(u[0]) == Ids{young.value, old.value});
    CHECK(s.state().delivery_ns > before.delivery_ns);
    CHECK(s.state().delivery_ns <= 9999);
  });
}

TEST_CASE("storage contract: only valid timelines are delivered to") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    s.follow(u[0], u[2]);
    s.follow(u[1], u[2]);
    rules::drop_timeline(s.storage(), u[0]);
    rules::drop_timeline(s.storage(), u[0]);
    s.post(u[2]);
    s.drain();
    CHECK_FALSE(s.see()->timeline(u[0]));
    CHECK(s.timeline_ids(u[1]).size() == 1);
    CHECK(s.see()->scan_timelines(kNobody, 9) == std::vector{u[1], u[2]});

    rules::retire_marks(s.storage());  // another generation
    s.post(u[2]);
    s.drain();
    CHECK(s.timeline_ids(u[1]).size() == 1);
    CHECK_FALSE(s.see()->feed_sources(u[1]).has_timeline);
    CHECK(s.see()->timeline(u[1])->generation != s.state().generation);
  });
}

TEST_CASE("storage contract: a user who has not read for long loses the timeline") {
  for_each_store([](Subject& s) {
    const auto u = s.users(4);
    for (const UserNumber viewer : {u[0], u[1], u[2]}) s.follow(viewer, u[3]);
    const Time signed_up = s.now;
    s.now.ms += 40 * kDayMs;
    rules::note_read(s.storage(), u[1], s.now);
    rules::note_read(s.storage(), UserNumber{99}, s.now);
    CHECK(s.see()->timeline(u[1])->last_read == Time{s.now.ms - s.now.ms % kDayMs});
    rules::note_read(s.storage(), u[1], signed_up);  // a clock that steps back takes nothing
    CHECK(s.see()->feed_sources(u[1]).last_read == Time{s.now.ms - s.now.ms % kDayMs});
    const PostId post = s.post(u[3]);
    FanOutStep step = fan_out_step(*s.see(), s.log_end());
    step.drop_if_inactive = {u[0], u[1]};
    step.active_since = Time{s.now.ms - 30 * kDayMs};
    REQUIRE(rules::commit(s.storage(), step, s.now));
    CHECK_FALSE(s.see()->timeline(u[0]));
    CHECK(s.timeline_ids(u[1]) == Ids{post.value});
    CHECK(s.timeline_ids(u[2]) == Ids{post.value});  // nobody asked about
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: following brings the past in, as far as timelines go") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    const PostId first = s.post(u[1]);
    s.drain();
    const PostId second = s.post(u[1]);  // pending: read twice, shown once
    s.follow(u[0], u[1]);
    CHECK(s.timeline_ids(u[0]) == Ids{second.value, first.value});
    CHECK(s.see()->timeline(u[0])->entries.back().origin == Origin::kBackfilled);
    s.drain();
    CHECK(s.timeline_ids(u[0]) == Ids{second.value, first.value});
    CHECK(s.see()->timeline(u[0])->entries.front().origin == Origin::kBackfilled);

    rules::drop_timeline(s.storage(), u[2]);
    s.follow(u[2], u[1]);
    CHECK_FALSE(s.see()->timeline(u[2]));
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: backfill beyond the cap raises the mark") {
  for_each_store([](Subject& s) {
    constexpr std::uint32_t kCap = 16;
    s.change_settings([](auto& settings) { settings.cap = kCap; });
    for (const std::uint32_t posts : {kCap - 1, kCap, kCap + 1, 3 * kCap}) {
      CAPTURE(posts);
      const auto u = s.users(2);
      const std::vector<Change> changes(posts, Publish{u[1], "text"});
      s.storage().write(changes, s.now);
      s.drain();
      s.follow(u[0], u[1]);
      const Timeline timeline = s.see()->timeline(u[0]).value();
      CHECK(timeline.entries.size() <= kCap);
      const bool whole = timeline.entries.size() == posts;
      CHECK(timeline.complete_from == (whole ? kBelowAllPosts : timeline.entries.back().id));
      CHECK(breaches(*s.see()).empty());
    }
  });
}

TEST_CASE("storage contract: backfill leaves out what is pulled or below the mark") {
  for_each_store([](Subject& s) {
    s.change_settings([](auto& settings) { settings.cap = 2; });
    const auto u = s.users(4);
    const PostId oldest = s.post(u[1]);
    s.follow(u[0], u[2]);
    for (int i = 0; i < 3; ++i) s.post(u[2]);
    s.drain();
    const PostId floor = s.see()->timeline(u[0])->complete_from;
    REQUIRE(floor > oldest);
    s.follow(u[0], u[1]);
    for (const std::uint64_t id : s.timeline_ids(u[0])) CHECK(id != oldest.value);
    CHECK(s.see()->timeline(u[0])->complete_from >= floor);

    s.change_settings([](auto& settings) { settings.policy = feed::Policy::kPull; });
    s.post(u[3]);
    s.follow(u[1], u[3]);
    CHECK(s.timeline_ids(u[1]) == Ids{oldest.value});
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: a timeline keeps at most the cap, and knows from where on") {
  for_each_store([](Subject& s) {
    constexpr std::uint32_t kCap = 40;
    s.change_settings([](auto& settings) { settings.cap = kCap; });
    const auto u = s.users(2);
    s.follow(u[0], u[1]);
    const auto posts = static_cast<std::size_t>(2 * kCap);
    Ids newest_first;
    for (std::size_t i = 0; i < posts; ++i) {
      newest_first.insert(newest_first.begin(), s.post(u[1]).value);
      s.drain();
      const Timeline timeline = s.see()->timeline(u[0]).value();
      const std::size_t size = timeline.entries.size();
      CHECK(size <= kCap);
      CHECK(size >= std::min<std::size_t>(i + 1, kCap - kCap / 8 - 1));
      CHECK(s.timeline_ids(u[0]) ==
            Ids(newest_first.begin(), newest_first.begin() + static_cast<std::ptrdiff_t>(size)));
      CHECK(timeline.complete_from ==
            (size == i + 1 ? kBelowAllPosts : timeline.entries.back().id));
    }
    // What is below the mark is not taken in any more.
    FanOutStep late = part(s);
    late.deliveries = {{u[0], PostId{newest_first.back()}, u[1]}};
    REQUIRE(rules::commit(s.storage(), late, s.now));
    CHECK(s.timeline_ids(u[0]).back() != newest_first.back());
    CHECK(breaches(*s.see()).empty());

    // A lower cap trims what is written next, and nothing before.
    const std::size_t before = s.timeline_ids(u[0]).size();
    s.change_settings([](auto& settings) { settings.cap = 1; });
    CHECK(s.timeline_ids(u[0]).size() == before);
    const PostId last = s.post(u[1]);
    s.drain();
    CHECK(s.timeline_ids(u[0]) == Ids{last.value});
    CHECK(s.see()->timeline(u[0])->complete_from == last);
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: deliveries land in their place, however old") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    s.follow(u[0], u[1]);
    const PostId a = s.post(u[1]);
    const PostId b = s.post(u[1]);
    const PostId c = s.post(u[1]);
    for (const PostId id : {c, a, b}) {
      FanOutStep step = part(s);
      step.deliveries = {{u[0], id, u[1]}};
      REQUIRE(rules::commit(s.storage(), step, s.now));
    }
    CHECK(s.timeline_ids(u[0]) == Ids{c.value, b.value, a.value});
  });
}

TEST_CASE("storage contract: long timelines keep their order and origins") {
  for_each_store([](Subject& s) {
    const auto u = s.users(3);
    s.follow(u[0], u[1]);
    std::vector<Change> changes;
    for (int i = 0; i < 1500; ++i) changes.emplace_back(Publish{u[i % 2 == 0 ? 1 : 2], "text"});
    s.storage().write(changes, s.now);
    s.drain();
    s.follow(u[0], u[2]);
    const Timeline timeline = s.see()->timeline(u[0]).value();
    const std::uint32_t cap = limits::kFeedCapDefault;
    CHECK(timeline.entries.size() <= cap);
    CHECK(timeline.entries.size() >= cap - cap / 8 - 1);
    for (const Entry& entry : timeline.entries) {
      CHECK(entry.origin == (entry.author == u[2] ? Origin::kBackfilled : Origin::kPushed));
    }
    CHECK(breaches(*s.see()).empty());
    CHECK(s.see()->timeline_entries(u[0], {}, Direction::kDown, kAll) == timeline.entries);
  });
}

}  // namespace chirp::test
