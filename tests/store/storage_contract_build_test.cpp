// Goal: a built timeline is stored only when no post can have slipped past it.
// Method: each guard of rules::store() on its own, on every store.
#include <doctest/doctest.h>

#include "core/rules/writing.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

struct Walked {
  UserNumber viewer;
  UserNumber author;
  UserNumber other;
  BuiltTimeline built;
};

// A viewer without a timeline, following one author with three posts, and what a walk makes of it.
Walked walked(Subject& s) {
  const auto u = s.users(3);
  s.follow(u[0], u[1]);
  for (int i = 0; i < 3; ++i) s.post(u[1]);
  s.drain();
  rules::drop_timeline(s.storage(), u[0]);
  return {u[0], u[1], u[2], built_timeline(*s.see(), u[0])};
}

}  // namespace

TEST_CASE("storage contract: a built timeline is stored as it is") {
  for_each_store([](Subject& s) {
    Walked w = walked(s);
    w.built.source_ns = 100'000;
    const std::uint32_t before = s.state().source_ns;
    REQUIRE(rules::store(s.storage(), w.built, Replace::kKeepValid, s.now));
    const Timeline stored = s.see()->timeline(w.viewer).value();
    CHECK(stored.entries == w.built.timeline.entries);
    CHECK(stored.complete_from == kBelowAllPosts);
    CHECK(stored.generation == s.state().generation);
    CHECK(stored.last_read == Time{kStart.ms - kStart.ms % kDayMs});
    CHECK(s.see()->feed_sources(w.viewer).has_timeline);
    CHECK(s.state().source_ns > before);
    CHECK(s.state().source_ns <= 100'000);
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: a valid timeline is replaced only on request") {
  for_each_store([](Subject& s) {
    Walked w = walked(s);
    REQUIRE(rules::store(s.storage(), w.built, Replace::kKeepValid, s.now));
    s.now.ms += 3 * kDayMs;
    rules::note_read(s.storage(), w.viewer, s.now);
    BuiltTimeline other = w.built;
    other.timeline.entries.pop_back();
    other.timeline.complete_from = other.timeline.entries.back().id;
    CHECK_FALSE(rules::store(s.storage(), other, Replace::kKeepValid, s.now));
    CHECK(s.timeline_ids(w.viewer).size() == 3);
    CHECK(rules::store(s.storage(), other, Replace::kAlways, s.now));
    CHECK(s.timeline_ids(w.viewer).size() == 2);
    CHECK(s.see()->timeline(w.viewer)->complete_from == other.timeline.complete_from);
    // Rebuilding is not reading, and takes no reading away.
    CHECK(s.see()->timeline(w.viewer)->last_read == Time{s.now.ms - s.now.ms % kDayMs});
  });
}

TEST_CASE("storage contract: posts of which the walk knows nothing come by the pending tail") {
  for_each_store([](Subject& s) {
    const Walked w = walked(s);
    const PostId late = s.post(w.author);
    CHECK(rules::store(s.storage(), w.built, Replace::kKeepValid, s.now));
    CHECK(breaches(*s.see()).empty());
    s.drain();
    CHECK(s.timeline_ids(w.viewer).front() == late.value);
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: a flush past the walk's end refuses the walk") {
  for_each_store([](Subject& s) {
    const Walked w = walked(s);
    s.post(w.author);
    s.drain();
    CHECK_FALSE(rules::store(s.storage(), w.built, Replace::kKeepValid, s.now));
    CHECK_FALSE(rules::store(s.storage(), w.built, Replace::kAlways, s.now));
    CHECK_FALSE(s.see()->timeline(w.viewer));
  });
}

TEST_CASE("storage contract: a flush in part refuses the walks before its reach") {
  for_each_store([](Subject& s) {
    const Walked w = walked(s);
    s.post(w.author);
    const BuiltTimeline later = built_timeline(*s.see(), w.viewer);
    FanOutStep whole = fan_out_step(*s.see(), s.log_end());
    FanOutStep part;  // the viewer has no timeline when their part comes
    part.from = part.to = whole.from;
    part.reach = whole.to;
    part.deliveries = whole.deliveries;
    whole.deliveries.clear();
    CHECK(s.state().fan_out_reach == s.state().fan_out);
    REQUIRE(rules::commit(s.storage(), part, s.now));
    CHECK(s.state().fan_out == whole.from);
    CHECK(s.state().fan_out_reach == whole.to);
    CHECK_FALSE(rules::store(s.storage(), w.built, Replace::kKeepValid, s.now));
    CHECK(rules::store(s.storage(), later, Replace::kKeepValid, s.now));
    REQUIRE(rules::commit(s.storage(), whole, s.now));
    CHECK(s.state().fan_out_reach == s.state().fan_out);
    CHECK(s.timeline_ids(w.viewer).size() == 4);
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: a built timeline carries its own day of last read") {
  for_each_store([](Subject& s) {
    Walked w = walked(s);
    w.built.timeline.last_read = Time{kStart.ms - 9 * kDayMs};
    const Time day{w.built.timeline.last_read.ms - w.built.timeline.last_read.ms % kDayMs};
    REQUIRE(rules::store(s.storage(), w.built, Replace::kKeepValid, s.now));
    CHECK(s.see()->timeline(w.viewer)->last_read == day);
    CHECK(s.see()->feed_sources(w.viewer).last_read == day);
  });
}

TEST_CASE("storage contract: a walk of another generation is refused") {
  for_each_store([](Subject& s) {
    const Walked w = walked(s);
    rules::retire_marks(s.storage());
    CHECK_FALSE(rules::store(s.storage(), w.built, Replace::kAlways, s.now));
    CHECK_FALSE(s.see()->timeline(w.viewer));
    CHECK(
        rules::store(s.storage(), built_timeline(*s.see(), w.viewer), Replace::kKeepValid, s.now));
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: a timeline of an old generation gives way") {
  for_each_store([](Subject& s) {
    const Walked w = walked(s);
    REQUIRE(rules::store(s.storage(), w.built, Replace::kKeepValid, s.now));
    rules::retire_marks(s.storage());
    CHECK(
        rules::store(s.storage(), built_timeline(*s.see(), w.viewer), Replace::kKeepValid, s.now));
    CHECK(s.see()->timeline(w.viewer)->generation == s.state().generation);
  });
}

TEST_CASE("storage contract: a walk that does not cover everybody followed is refused") {
  for_each_store([](Subject& s) {
    const Walked w = walked(s);
    s.post(w.other);
    s.follow(w.viewer, w.other);
    CHECK_FALSE(rules::store(s.storage(), w.built, Replace::kAlways, s.now));
    s.apply(Unfollow{w.viewer, w.other});
    s.apply(Unfollow{w.viewer, w.author});  // fewer than were covered is generous
    CHECK(rules::store(s.storage(), w.built, Replace::kAlways, s.now));
    CHECK(breaches(*s.see()).empty());
  });
}

TEST_CASE("storage contract: followees who are removed need no cover") {
  for_each_store([](Subject& s) {
    const Walked w = walked(s);
    s.follow(w.viewer, w.other);
    s.apply(MarkRemoved{w.other});
    const BuiltTimeline built = built_timeline(*s.see(), w.viewer);
    REQUIRE(built.following == std::vector{w.author});
    CHECK(rules::store(s.storage(), built, Replace::kAlways, s.now));
  });
}

TEST_CASE("storage contract: missing users get no timeline") {
  for_each_store([](Subject& s) {
    Walked w = walked(s);
    s.apply(MarkRemoved{w.viewer});
    CHECK_FALSE(rules::store(s.storage(), w.built, Replace::kAlways, s.now));
    w.built.viewer = UserNumber{99};
    w.built.following.clear();
    CHECK_FALSE(rules::store(s.storage(), w.built, Replace::kAlways, s.now));
    CHECK_FALSE(s.see()->timeline(w.built.viewer));
  });
}

TEST_CASE("storage contract: a built timeline is cut to the cap in force") {
  for_each_store([](Subject& s) {
    const Walked w = walked(s);
    s.change_settings([](auto& settings) { settings.cap = 2; });
    REQUIRE(rules::store(s.storage(), w.built, Replace::kKeepValid, s.now));
    const Timeline stored = s.see()->timeline(w.viewer).value();
    CHECK(stored.entries.size() <= 2);
    CHECK_FALSE(stored.entries.empty());
    CHECK(stored.complete_from == stored.entries.back().id);
  });
}

}  // namespace chirp::test
