// Goal: counters, tiers and push-from marks move as every store promises, and switches are
// harmless. Method: small bounds; followers come and go one by one, policies follow each other.
#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "core/rules/settings.h"
#include "core/rules/writing.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

using events::Event;
using events::Topic;
using feed::Policy;
using feed::Tier;

void small_bounds(Subject& s, Policy policy = Policy::kHybrid) {
  s.change_settings([&](feed::FeedSettings& settings) {
    settings.policy = policy;
    settings.influencer_from = 5;   // falls back below 4
    settings.celebrity_above = 10;  // falls back below 8
  });
}

void set_policy(Subject& s, Policy policy) {
  s.change_settings([&](feed::FeedSettings& settings) { settings.policy = policy; });
}

// Above every stored id, and not above the next one minted now.
void check_is_next_id(Subject& s, PostId mark, UserNumber author) {
  const auto posts = reads::rows_above<tables::Posts>(*s.see(), {kBelowAllPosts}, kAll);
  if (!posts.empty()) CHECK(mark > posts.back().id);
  CHECK(mark > s.state().last_id);
  CHECK(s.post(author) >= mark);
}

}  // namespace

TEST_CASE("storage contract: counters show stored and pending changes together") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    s.follow(u[0], u[1]);
    s.post(u[1]);
    const PostId gone = s.post(u[1]);
    s.apply(RemovePost{gone});
    CHECK(s.counters(u[0]) == UserCounters{0, 1, 0});
    CHECK(s.counters(u[1]) == UserCounters{1, 0, 1});
    for (const auto& [user, stored] : reads::counters_above(*s.see(), kNobody, 9)) {
      CHECK(stored == UserCounters{});
    }
    const CounterStep step = counter_step(*s.see(), s.log_end());
    REQUIRE(rules::commit(s.storage(), step, s.now));
    CHECK(s.state().counters == s.log_end());
    CHECK(s.counters(u[1]) == UserCounters{1, 0, 1});
    CHECK_FALSE(rules::commit(s.storage(), step, s.now));  // the offset has moved on
    CHECK(s.counters(u[1]) == UserCounters{1, 0, 1});
    s.apply(Unfollow{u[0], u[1]});
    CHECK(s.counters(u[0]) == UserCounters{});
    CHECK(s.counters(u[1]) == UserCounters{0, 0, 1});
    const std::vector<UserNumber> asked{u[1], UserNumber{99}, u[0]};
    CHECK(s.see()->counters(asked) == std::vector<UserCounters>{{0, 0, 1}, {}, {}});
  });
}

TEST_CASE("storage contract: counters move a part of the log at a time") {
  for_each_store([](Subject& s) {
    const UserNumber ann = s.users(1).front();
    for (int i = 0; i < 4; ++i) s.post(ann);
    for (const std::uint64_t to : {2u, 4u, 6u}) {
      REQUIRE(rules::commit(s.storage(), counter_step(*s.see(), Sequence{to}), s.now));
      CHECK(s.state().counters == Sequence{to});
      CHECK(s.counters(ann).posts == 4);
    }
  });
}

TEST_CASE("storage contract: tiers change with hysteresis, one event each") {
  for_each_store([](Subject& s) {
    small_bounds(s);
    const auto u = s.users(13);
    const UserNumber star = u[0];
    const auto tier_with = [&](std::size_t followers) {
      const auto have = static_cast<std::size_t>(s.counters(star).followers);
      for (std::size_t i = have; i < followers; ++i) s.follow(u[i + 1], star);
      for (std::size_t i = have; i > followers; --i) s.apply(Unfollow{u[i], star});
      s.drain();
      return s.mark(star).tier;
    };
    CHECK(tier_with(4) == Tier::kRegular);
    CHECK_FALSE(s.see()->find(tables::Marks::Key{star}));
    CHECK(tier_with(5) == Tier::kInfluencer);
    CHECK(tier_with(4) == Tier::kInfluencer);
    CHECK(tier_with(3) == Tier::kRegular);
    CHECK_FALSE(s.see()->find(tables::Marks::Key{star}));
    CHECK(tier_with(10) == Tier::kInfluencer);
    CHECK(s.mark(star).push_from == feed::kAlwaysPushed);
    CHECK(tier_with(11) == Tier::kCelebrity);
    CHECK(s.mark(star).push_from == feed::kNeverPushed);
    CHECK(tier_with(8) == Tier::kCelebrity);
    s.post(star);
    CHECK(tier_with(7) == Tier::kInfluencer);
    const PostId demoted = s.mark(star).push_from;
    CHECK(demoted != feed::kAlwaysPushed);
    CHECK(demoted != feed::kNeverPushed);
    check_is_next_id(s, demoted, star);
    s.drain();
    CHECK(tier_with(0) == Tier::kRegular);
    CHECK(s.mark(star).push_from == demoted);  // what was pulled is pulled for good
    std::vector<std::uint64_t> tiers;
    for (const Event& event : s.events()) {
      if (event.topic != Topic::kTierChanged) continue;
      CHECK(event.actor == star);
      tiers.push_back(event.rows);
    }
    CHECK(tiers == std::vector<std::uint64_t>{1, 0, 1, 2, 1, 0});
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: new bounds give new tiers") {
  for_each_store([](Subject& s) {
    const auto u = s.users(8);
    for (std::size_t i = 1; i < 8; ++i) s.follow(u[i], u[0]);
    s.follow(u[0], u[1]);
    s.drain();
    const Sequence before = s.log_end();
    s.change_settings([](feed::FeedSettings& settings) {
      settings.influencer_from = 5;
      settings.celebrity_above = 6;
    });
    CHECK(s.mark(u[0]) == feed::AuthorMark{u[0], Tier::kCelebrity, feed::kNeverPushed});
    CHECK(reads::rows_above<tables::Marks>(*s.see(), {kNobody}, 9).size() == 1);
    CHECK(s.events(before) ==
          std::vector{Event{before, Topic::kTierChanged, s.now, u[0], kNobody, {}, 2}});
    s.change_settings([](feed::FeedSettings& settings) {
      settings.influencer_from = 1000;
      settings.celebrity_above = 2000;
    });
    CHECK(s.mark(u[0]).tier == Tier::kRegular);
    CHECK(s.mark(u[0]).push_from > feed::kAlwaysPushed);
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: new bounds are asked of some users at a time") {
  for_each_store([](Subject& s) {
    const auto u = s.users(6);
    for (const UserNumber star : {u[1], u[4]}) {
      for (const UserNumber fan : {u[0], u[2], u[3]}) s.follow(fan, star);
    }
    s.drain();
    feed::FeedSettings settings = s.state().settings;
    settings.influencer_from = 3;
    const Sequence before = s.log_end();
    rules::put_settings(s.storage(), settings, s.now);
    CHECK(s.state().settings == settings);
    CHECK(s.log_end() == before);
    CHECK(rules::tiers_due(*s.see()) == UserNumber{1});
    CHECK(breaches(*s.see()).empty());

    CHECK_FALSE(rules::settle_tiers(s.storage(), 3, s.now));
    CHECK(rules::tiers_due(*s.see()) == UserNumber{u[2].value + 1});
    CHECK(s.mark(u[1]).tier == Tier::kInfluencer);
    CHECK(s.mark(u[4]).tier == Tier::kRegular);
    CHECK(breaches(*s.see()).empty());

    CHECK(rules::settle_tiers(s.storage(), 1'000, s.now));
    CHECK_FALSE(rules::tiers_due(*s.see()));
    CHECK(reads::plain_settings(*s.see()).empty());
    const Sequence next{before.value + 1};
    CHECK(s.events(before) ==
          std::vector{Event{before, Topic::kTierChanged, s.now, u[1], kNobody, {}, 1},
                      Event{next, Topic::kTierChanged, s.now, u[4], kNobody, {}, 1}});
    const std::uint64_t version = s.state().version;
    CHECK(rules::settle_tiers(s.storage(), 1'000, s.now));
    CHECK(s.state().version == version);
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: settings are kept") {
  for_each_store([](Subject& s) {
    CHECK(s.state().settings == feed::FeedSettings{});
    const feed::FeedSettings settings{Policy::kCost, 17, 12, 345, 6, 7 * kHourMs};
    rules::change_settings(s.storage(), settings, s.now);
    CHECK(s.state().settings == settings);
    CHECK(reads::plain_settings(*s.storage().snapshot()).empty());
    rules::set_plain(s.storage(), "auth.bcrypt_cost", "4");
    rules::set_plain(s.storage(), "rank.recency", "");
    rules::set_plain(s.storage(), "auth.bcrypt_cost", "5");
    CHECK(reads::plain_settings(*s.storage().snapshot()) ==
          std::map<std::string, std::string>{{"auth.bcrypt_cost", "5"}, {"rank.recency", ""}});
    CHECK(s.state().settings == settings);
    CHECK(s.state().generation == 0);  // nothing here makes a timeline invalid
  });
}

TEST_CASE("storage contract: policies move everybody's mark and authors' own") {
  for_each_store([](Subject& s) {
    small_bounds(s);
    const auto u = s.users(14);
    const UserNumber star = u[0];
    for (std::size_t i = 1; i <= 11; ++i) s.follow(u[i], star);
    s.post(star);
    s.drain();
    CHECK(s.mark(star).push_from == feed::kNeverPushed);
    CHECK(s.state().push_from_all == feed::kAlwaysPushed);

    set_policy(s, Policy::kPull);
    CHECK(s.state().push_from_all == feed::kNeverPushed);
    s.post(u[1]);
    s.drain();
    CHECK(breaches(*s.see()).empty());

    set_policy(s, Policy::kHybrid);
    const PostId all = s.state().push_from_all;
    CHECK(s.mark(star).push_from == feed::kNeverPushed);
    check_is_next_id(s, all, u[1]);
    s.drain();
    CHECK(breaches(*s.see()).empty());

    set_policy(s, Policy::kPush);
    CHECK(s.state().push_from_all == all);
    CHECK(s.mark(star).tier == Tier::kCelebrity);
    check_is_next_id(s, s.mark(star).push_from, star);
    s.drain();
    CHECK(breaches(*s.see()).empty());

    set_policy(s, Policy::kHybrid);
    CHECK(s.mark(star).push_from == feed::kNeverPushed);
    set_policy(s, Policy::kCost);
    CHECK(s.mark(star).push_from == feed::kNeverPushed);
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: under push a new celebrity is pushed") {
  for_each_store([](Subject& s) {
    small_bounds(s, Policy::kPush);
    const auto u = s.users(12);
    for (std::size_t i = 1; i < u.size(); ++i) s.follow(u[i], u[0]);
    s.drain();
    CHECK(s.mark(u[0]) == feed::AuthorMark{u[0], Tier::kCelebrity, feed::kAlwaysPushed});
    s.post(u[0]);
    s.drain();
    CHECK(s.timeline_ids(u[1]).size() == 1);
  });
}

TEST_CASE("storage contract: retired marks make every timeline invalid") {
  for_each_store([](Subject& s) {
    small_bounds(s);
    const auto u = s.users(14);
    for (std::size_t i = 1; i <= 11; ++i) {
      s.follow(u[i], u[0]);
      s.follow(u[i], u[12]);
    }
    s.drain();
    for (std::size_t i = 5; i <= 11; ++i) s.apply(Unfollow{u[i], u[12]});
    s.drain();
    set_policy(s, Policy::kPull);
    set_policy(s, Policy::kHybrid);
    REQUIRE(s.mark(u[12]).push_from > feed::kAlwaysPushed);
    REQUIRE(s.state().push_from_all > feed::kAlwaysPushed);
    const std::uint64_t generation = s.state().generation;
    rules::retire_marks(s.storage());
    CHECK(s.state().generation == generation + 1);
    CHECK(s.state().push_from_all == feed::kAlwaysPushed);
    CHECK(s.mark(u[12]) == feed::AuthorMark{u[12], Tier::kInfluencer, feed::kAlwaysPushed});
    CHECK(s.mark(u[0]) == feed::AuthorMark{u[0], Tier::kCelebrity, feed::kNeverPushed});
    CHECK_FALSE(s.see()->feed_sources(u[1]).has_timeline);
    CHECK(breaches(*s.see()).empty());
    set_policy(s, Policy::kPull);
    rules::retire_marks(s.storage());
    CHECK(s.state().push_from_all == feed::kNeverPushed);
  });
}

TEST_CASE("storage contract: the cost rule's marks count while it is in force") {
  for_each_store([](Subject& s) {
    small_bounds(s, Policy::kCost);
    const auto u = s.users(8);
    for (std::size_t i = 1; i <= 6; ++i) s.follow(u[i], u[0]);
    s.drain();
    REQUIRE(s.mark(u[0]).tier == Tier::kInfluencer);
    const auto decide = [&](UserNumber author, PostId mark) {
      FanOutStep step;
      step.from = step.to = s.state().fan_out;
      step.marks = {{author, Tier::kRegular, mark}};  // the tier is the counters' to say
      return rules::commit(s.storage(), step, s.now);
    };
    CHECK(decide(u[0], feed::kNeverPushed));
    CHECK(s.mark(u[0]) == feed::AuthorMark{u[0], Tier::kInfluencer, feed::kNeverPushed});
    s.post(u[0]);
    s.drain();
    CHECK(decide(u[0], PostId{5}));
    CHECK(s.mark(u[0]).tier == Tier::kInfluencer);
    check_is_next_id(s, s.mark(u[0]).push_from, u[0]);
    s.drain();
    CHECK(breaches(*s.see()).empty());
    set_policy(s, Policy::kPush);
    CHECK_FALSE(decide(u[1], feed::kNeverPushed));
    CHECK_FALSE(s.see()->find(tables::Marks::Key{u[1]}));
  });
}

TEST_CASE("storage contract: repaired counters are right with what is pending") {
  for_each_store([](Subject& s) {
    small_bounds(s);
    const auto u = s.users(7);
    for (std::size_t i = 1; i <= 5; ++i) s.follow(u[i], u[0]);
    s.drain();
    s.follow(u[6], u[0]);  // pending
    rules::repair_counters(s.storage(), u[0], {6, 0, 0}, s.now);
    CHECK(s.counters(u[0]) == UserCounters{6, 0, 0});
    s.drain();
    CHECK(s.counters(u[0]) == UserCounters{6, 0, 0});
    rules::repair_counters(s.storage(), u[0], {2, 3, 4}, s.now);
    CHECK(s.counters(u[0]) == UserCounters{2, 3, 4});
    CHECK(s.mark(u[0]).tier == Tier::kRegular);
    rules::repair_counters(s.storage(), u[0], {12, 3, 4}, s.now);
    CHECK(s.mark(u[0]).tier == Tier::kCelebrity);
    CHECK(s.events().back().topic == Topic::kTierChanged);
  });
}

TEST_CASE("storage contract: the log is trimmed below every consumer, and only what is old") {
  for_each_store([](Subject& s) {
    const UserNumber ann = s.users(1).front();
    for (int i = 0; i < 9; ++i) {
      s.now.ms += 10;
      s.post(ann);
    }
    REQUIRE(rules::commit(s.storage(), fan_out_step(*s.see(), Sequence{8}), s.now));
    REQUIRE(rules::commit(s.storage(), counter_step(*s.see(), Sequence{5}), s.now));
    const Time all{s.now.ms + 1};
    CHECK(rules::trim_log(s.storage(), all, 100) ==
          0);  // notifications and trends stand at the start
    REQUIRE(rules::commit(s.storage(), NotificationStep{Sequence{1}, Sequence{9}, {}}, s.now));
    REQUIRE(rules::commit(s.storage(), TrendStep{Sequence{1}, Sequence{9}, {}, {}}, s.now));
    CHECK(rules::trim_log(s.storage(), kStart, 100) == 0);  // `before` is exclusive
    CHECK(rules::trim_log(s.storage(), Time{kStart.ms + 11}, 100) == 2);
    CHECK(s.state().log_first == Sequence{3});
    CHECK(rules::trim_log(s.storage(), all, 1) == 1);
    CHECK(rules::trim_log(s.storage(), all, 100) == 1);  // counters stand at 5
    CHECK(s.state().log_first == Sequence{5});
    REQUIRE(rules::commit(s.storage(), counter_step(*s.see(), s.log_end()), s.now));
    CHECK(rules::trim_log(s.storage(), all, 100) == 3);  // fan-out is at 8
    CHECK(s.state().log_first == Sequence{8});
    CHECK(s.events().front().sequence == Sequence{8});
    CHECK(reads::events(*s.see(), Sequence{1}, 2).size() == 2);
    s.drain();
    CHECK(rules::trim_log(s.storage(), all, 100) == 3);
    CHECK(s.events().empty());
    CHECK(s.state().log_first == s.state().log_end);
    const Sequence next = s.log_end();
    s.post(ann);
    CHECK(s.events().front().sequence == next);
    CHECK(s.counters(ann).posts == 10);
  });
}

}  // namespace chirp::test
