// Goal: what the consumers do in many short turns is what they do in one long turn each; no turn
// writes more than it may; and cut off after any of them, nothing is lost and nothing done twice.
// Method: random worlds in the in-memory store, drained whole, and by consumers that are begun anew
// after every turn. The rows before and after a turn show what it has written.
#include <algorithm>
#include <map>
#include <new>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/events/consumers.h"
#include "core/ports/reads.h"
#include "core/rules/settings.h"
#include "core/rules/timed_storage.h"
#include "tests/model/storage.h"
#include "tests/support/fake_clock.h"
#include "tests/support/mixed_changes.h"
#include "tests/support/seeds.h"
#include "tests/support/storage_compare.h"
#include "tests/support/storage_contract.h"

namespace chirp::test::turns_test {
namespace {

constexpr rules::TurnRows kAll{1 << 20, 1 << 20, 1 << 20};
constexpr rules::TurnRows kFew{2, 2, 8};
// One event may take more than there are rows for; no event of these worlds takes so many.
constexpr std::size_t kFewAtMost = 8;
constexpr std::uint32_t kEverything = ~std::uint32_t{0};

// What consumers write.
struct Kept {
  explicit Kept(const Snapshot& snapshot) {
    for (const auto& [user, counts] : reads::counters_above(snapshot, kNobody, kEverything)) {
      users[user] = counts;
    }
    for (const auto& [content, counts] :
         reads::content_counters_above(snapshot, ContentId{0}, kEverything)) {
      contents[content] = counts;
    }
    auto tables = snapshot.table_rows();
    notifications = tables["notifications"];
    for (const TaggedPost& post :
         reads::rows_above<tables::TagUses>(snapshot, {kBelowAllPosts}, kEverything)) {
      tags += post.tags.size();
    }
  }

  std::map<UserNumber, UserCounters> users;
  std::map<ContentId, ContentCounters> contents;
  std::uint64_t notifications = 0;
  std::size_t tags = 0;
};

// Counters that are others in `after`, or new.
template <class CounterConsumer>
std::size_t changed(const CounterConsumer& before, const CounterConsumer& after) {
  return static_cast<std::size_t>(std::ranges::count_if(after, [&](const auto& counted) {
    const auto found = before.find(counted.first);
    return found == before.end() || !(found->second == counted.second);
  }));
}

// Counts what each turn writes, and lets nobody take another than the first.
class CutStorage final : public model::ModelStorage {
 public:
  using ModelStorage::ModelStorage;

  void begin() { turns_left_ = 1; }
  void go_on() { turns_left_ = 1 << 30; }
  bool decide(Time now, Purpose purpose, const Decision& decision) override {
    if (turns_left_ == 0) throw Error(ErrorCode::kUnavailable, "cut off");
    const Kept before(*snapshot());
    const bool done = ModelStorage::decide(now, purpose, decision);
    const Kept after(*snapshot());
    --turns_left_;
    ++turns;
    most = std::max({most,
                     changed(before.users, after.users) + changed(before.contents, after.contents),
                     static_cast<std::size_t>(after.notifications - before.notifications),
                     after.tags > before.tags ? after.tags - before.tags : 0});
    return done;
  }

  int turns = 0;
  std::size_t most = 0;

 private:
  int turns_left_ = 1 << 30;
};

// False once nothing is pending.
template <class Consumer>
bool one_turn(CutStorage& storage, const Clock& clock) {
  storage.begin();
  try {
    return Consumer(storage, clock, 64, kFew).step() != events::Progress::kIdle;
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kUnavailable);
    return true;
  }
}

template <class Consumer>
void drain_whole(Storage& storage, const Clock& clock) {
  while (Consumer(storage, clock, 1 << 20, kAll).step() != events::Progress::kIdle) continue;
}

constexpr std::uint32_t kFollowed = 1'000;
std::int64_t followers_of(std::uint32_t user) { return user % 10; }

// Users 1 to kFollowed, of whom followers are counted.
void add_followed(Storage& storage, const Clock& clock) {
  std::vector<Change> people;
  for (std::uint32_t n = 1; n <= kFollowed; ++n) {
    AuthorCard card;
    card.number = UserNumber{n};
    card.id = UserId{n};
    card.username = "u" + std::to_string(n);
    people.emplace_back(PutCard{card});
  }
  storage.write(people, clock.now());
  storage.decide({}, Purpose::kChange, [](Rows& rows) {
    for (std::uint32_t n = 1; n <= kFollowed; ++n) {
      UserCounters counters;
      counters.followers = followers_of(n);
      rows.put(tables::UserCounts::Key{UserNumber{n}}, counters);
    }
    return true;
  });
}

// So many users, from the first one on, have the tier that the bounds make, nobody having had a
// higher one.
std::uint32_t first_in_their_tiers(const Snapshot& snapshot, const feed::FeedSettings& settings) {
  for (std::uint32_t user = 1; user <= kFollowed; ++user) {
    const auto followers = static_cast<std::uint64_t>(followers_of(user));
    feed::Tier wanted = feed::Tier::kRegular;
    if (followers >= settings.influencer_from) wanted = feed::Tier::kInfluencer;
    if (followers > settings.celebrity_above) wanted = feed::Tier::kCelebrity;
    const auto mark = snapshot.find(tables::Marks::Key{UserNumber{user}});
    if (wanted != (mark ? mark->tier : feed::Tier::kRegular)) return user - 1;
  }
  return kFollowed;
}

// Bounds of tiers between which some of them come to lie.
feed::FeedSettings new_bounds() {
  feed::FeedSettings settings;
  settings.influencer_from = 4;
  settings.celebrity_above = 7;
  return settings;
}

}  // namespace

TEST_CASE("turns: many short ones, each cut off behind it, come to what one long one does") {
  for (std::uint64_t seed = first_seed(); seed < first_seed() + worlds_or(20); ++seed) {
    CAPTURE(seed);
    FakeClock clock;
    model::ModelStorage whole(kTestMachine);
    CutStorage cut(kTestMachine);
    MixedChanges changes(seed);
    for (int i = 0; i < 600; ++i) {
      const Change change = changes.next();
      changes.made(change, whole.write({&change, 1}, clock.now()).front());
      cut.write({&change, 1}, clock.now());
    }
    drain_whole<events::CounterConsumer>(whole, clock);
    drain_whole<events::NotificationConsumer>(whole, clock);
    drain_whole<events::TrendConsumer>(whole, clock);

    cut.most = 0;
    cut.turns = 0;
    while (one_turn<events::CounterConsumer>(cut, clock)) continue;
    while (one_turn<events::NotificationConsumer>(cut, clock)) continue;
    while (one_turn<events::TrendConsumer>(cut, clock)) continue;
    CHECK(cut.turns > 15);
    CHECK(cut.most <= kFewAtMost);
    std::mt19937_64 random(seed);
    for (const std::string& line : differences(whole, cut, random)) FAIL_CHECK(line);
  }
}

TEST_CASE("turns: marks that move nothing are retired some at a time, the rest together") {
  constexpr std::uint32_t kAuthors = 1200;
  constexpr PostId kSwitched{1'000};
  CutStorage storage(kTestMachine);
  storage.decide({}, Purpose::kChange, [&](Rows& rows) {
    rows.state().push_from_all = kSwitched;
    for (std::uint32_t n = 1; n <= kAuthors; ++n) {
      const PostId from = n % 100 == 0 ? PostId{2'000}
                          : n % 3 == 0 ? feed::kNeverPushed
                                       : kSwitched;
      rows.put(tables::Marks::Key{UserNumber{n}},
               feed::AuthorMark{UserNumber{n}, feed::Tier::kInfluencer, from});
    }
    return true;
  });
  const auto marks = [&] {
    return reads::rows_above<tables::Marks>(*storage.snapshot(), {kNobody}, kEverything);
  };
  const auto standing = [&] {
    std::map<UserNumber, PostId> from;
    for (const auto& mark : marks()) {
      from[mark.author] = std::max(mark.push_from, storage.snapshot()->state().push_from_all);
    }
    return from;
  };
  const auto at = [&](PostId from) {
    return std::ranges::count(marks(), from, &feed::AuthorMark::push_from);
  };
  const auto before = standing();
  const std::uint64_t generation = storage.snapshot()->state().generation;
  storage.begin();
  CHECK_THROWS_AS(rules::retire_marks(storage), Error);
  CHECK(standing() == before);
  CHECK(storage.snapshot()->state().generation == generation);
  CHECK(at(feed::kAlwaysPushed) == 500);

  storage.go_on();
  rules::retire_marks(storage);
  CHECK(at(feed::kAlwaysPushed) + at(feed::kNeverPushed) == kAuthors);
  CHECK(storage.snapshot()->state().push_from_all == feed::kAlwaysPushed);
  CHECK(storage.snapshot()->state().generation == generation + 1);
}

TEST_CASE("turns: new bounds of tiers reach some users at a time, and go on behind any turn") {
  constexpr std::uint32_t kAtOnce = 64;
  const FakeClock clock;
  CutStorage storage(kTestMachine);
  add_followed(storage, clock);
  feed::FeedSettings settings = new_bounds();
  const auto asked = [&] { return first_in_their_tiers(*storage.snapshot(), settings); };
  const auto one_part = [&] {
    storage.begin();
    return rules::settle_tiers(storage, kAtOnce, clock.now());
  };
  storage.begin();
  rules::put_settings(storage, settings, clock.now());
  CHECK(rules::tiers_due(*storage.snapshot()) == UserNumber{1});
  CHECK(asked() == 3);  // who have too few followers
  for (std::uint32_t part = 1; part <= 3; ++part) {
    CHECK_FALSE(one_part());
    CHECK(rules::tiers_due(*storage.snapshot()) == UserNumber{part * kAtOnce + 1});
    CHECK(asked() >= part * kAtOnce);
    CHECK(asked() < (part + 1) * kAtOnce);
  }
  // Other bounds begin anew.
  settings.influencer_from = 2;
  storage.begin();
  rules::put_settings(storage, settings, clock.now());
  CHECK(rules::tiers_due(*storage.snapshot()) == UserNumber{1});
  CHECK_FALSE(one_part());
  CHECK(asked() >= kAtOnce);
  // Whoever comes next goes on.
  storage.go_on();
  storage.turns = 0;
  events::drain(storage, clock);
  CHECK_FALSE(rules::tiers_due(*storage.snapshot()));
  CHECK(asked() == kFollowed);
  CHECK(storage.turns > 0);
}

TEST_CASE("turns: one for new tiers at a time, and consumers between two of them") {
  const FakeClock clock;
  CutStorage storage(kTestMachine);
  add_followed(storage, clock);
  rules::put_settings(storage, new_bounds(), clock.now());
  events::Consumers consumers(storage, clock);
  storage.turns = 0;
  CHECK(consumers.settle_tiers());  // of as many as there are, so there may be more
  CHECK(storage.turns == 1);
  CHECK(consumers.step());  // the log tells of their tiers
  consumers.tidy();
  CHECK(rules::tiers_due(*storage.snapshot()) == UserNumber{kFollowed + 1});
  storage.turns = 0;
  CHECK_FALSE(consumers.settle_tiers());
  CHECK(storage.turns == 1);
  CHECK_FALSE(rules::tiers_due(*storage.snapshot()));
  CHECK_FALSE(consumers.settle_tiers());
  CHECK(storage.turns == 1);
}

TEST_CASE("turns: are timed from their coming to their end, if they change anything") {
  const FakeClock clock;  // a microsecond a look
  model::ModelStorage storage;
  std::vector<std::pair<Purpose, std::int64_t>> told;
  rules::TimedStorage timed(
      storage, clock, [&](Purpose purpose, std::int64_t ns) { told.emplace_back(purpose, ns); });
  const auto nothing = [](Rows&) { return false; };
  const auto something = [](Rows& rows) {
    ++rows.state().unlogged;
    return true;
  };
  CHECK_FALSE(timed.decide({}, Purpose::kTrim, nothing));
  CHECK(told.empty());
  CHECK(timed.decide({}, Purpose::kTrim, something));
  REQUIRE(told.size() == 1);
  CHECK(told.front() == std::pair(Purpose::kTrim, std::int64_t{1000}));

  AuthorCard card;
  card.number = UserNumber{1};
  card.id = UserId{1};
  card.username = "u1";
  const Change change = PutCard{card};
  CHECK(timed.write({&change, 1}, clock.now()).front().result == Result::kDone);
  REQUIRE(told.size() == 2);
  CHECK(told.back().first == Purpose::kChange);
  for (std::size_t i = 0; i < kPurposes; ++i) {
    CHECK_FALSE(rules::name(static_cast<Purpose>(i)).empty());
  }
}

TEST_CASE("turns: a turn whose duration can't be reported is done all the same") {
  const FakeClock clock;
  model::ModelStorage storage;
  rules::TimedStorage timed(storage, clock, [](Purpose, std::int64_t) { throw std::bad_alloc(); });
  AuthorCard card;
  card.number = UserNumber{1};
  card.id = UserId{1};
  card.username = "u1";
  const Change change = PutCard{card};
  std::vector<Outcome> outcomes;
  CHECK_NOTHROW(outcomes = timed.write({&change, 1}, clock.now()));
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes.front().result == Result::kDone);
  const std::vector<UserNumber> numbers{UserNumber{1}};
  CHECK(reads::cards(*storage.snapshot(), numbers).front().has_value());
}

TEST_CASE("turns: have more rows while they are quick, and the last one says nothing of that") {
  const FakeClock clock;
  model::ModelStorage storage;
  rules::PacedTurns turns(storage, clock, {10, 5, 30});
  const auto step = [&](bool last) {
    return turns.take([&](std::uint32_t) {
      turns.storage().decide({}, Purpose::kTraces, [](Rows& rows) {
        ++rows.state().unlogged;
        return true;
      });
      return last;
    });
  };
  CHECK(turns.rows() == 10);
  CHECK_FALSE(step(false));
  CHECK(turns.rows() == 20);
  CHECK(step(true));
  CHECK(turns.rows() == 20);
  CHECK_FALSE(step(false));
  CHECK(turns.rows() == 30);
}

}  // namespace chirp::test::turns_test
