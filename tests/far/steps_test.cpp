// Goal: what consumers, loads, removals and upkeep leave at a store that is far away takes a
// handful of exchanges, and is what they leave in a store at hand. Method: the same calls on the
// model and on a far store that counts its rounds.
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "core/events/consumers.h"
#include "core/events/gatherer.h"
#include "core/rules/writing.h"
#include "tests/model/storage.h"
#include "tests/support/fake_clock.h"
#include "tests/support/far_snapshot.h"
#include "tests/support/far_storage.h"
#include "tests/support/mixed_changes.h"
#include "tests/support/seeds.h"
#include "tests/support/storage_compare.h"
#include "tests/support/storage_contract.h"

namespace chirp::test::steps_test {
namespace {

constexpr int kStepFetchesMax = 3;

// The model and a far store, given the same.
struct Pair {
  // Runs a call on both; the fetches that it took of the far one.
  template <class Call>
  int both(Call call) {
    call(model);
    (void)far.take_most_fetches();
    call(far);
    return far.take_most_fetches();
  }
  void write(std::span<const Change> some) {
    both([&](Storage& storage) { storage.write(some, clock.now()); });
  }
  // A world with something of everything.
  void fill(std::uint64_t seed) {
    MixedChanges changes(seed);
    both([&](Storage& storage) {
      feed::FeedSettings settings = storage.snapshot()->state().settings;
      settings.influencer_from = 5;
      settings.celebrity_above = 9;
      rules::change_settings(storage, settings, clock.now());
    });
    for (int i = 0; i < 3000; ++i) {
      const Change change = changes.next();
      changes.made(change, model.write({&change, 1}, clock.now()).front());
      far.write({&change, 1}, clock.now());
    }
  }
  [[nodiscard]] std::vector<PostId> posts() {
    std::vector<PostId> ids;
    model.decide(clock.now(), Purpose::kChange, [&](Rows& rows) {
      for (const auto& [key, post] :
           rows.range(tables::Posts::Key{kBelowAllPosts}, tables::Posts::Key{kAboveAllPosts},
                      Direction::kUp, kAll)) {
        ids.push_back(key.id);
      }
      return false;
    });
    return ids;
  }
  void check_same() {
    for (const std::string& line : differences(model, far, random)) FAIL_CHECK(line);
  }

  FakeClock clock{kStart};
  std::mt19937_64 random{1};
  model::ModelStorage model{kTestMachine};
  model::ModelStorage behind{kTestMachine};
  FarStorage far{behind};
};

// Runs a consumer to the end; the most fetches of a step, or of a part of one.
template <class Consumer>
int drained(Pair& pair, Consumer of_model, Consumer of_far) {
  while (of_model.step() == events::Progress::kMoved) {
  }
  (void)pair.far.take_most_fetches();
  while (of_far.step() == events::Progress::kMoved) {
  }
  return pair.far.take_most_fetches();
}

// Loads into the same world, some rows of which are there already.
struct Loads {
  explicit Loads(std::uint64_t seed, Time now) {
    std::mt19937_64 random(seed);
    const auto user = [&] { return UserNumber{static_cast<std::uint32_t>(1 + random() % 60)}; };
    for (std::uint64_t i = 0; i < 2000; ++i) {
      const Time then{now.ms - static_cast<std::int64_t>(random() % (i % 2 == 0 ? 30 : kDayMs))};
      posts.push_back({SourceId{random() % 4000}, user(), then, "loaded #a"});
      comments.push_back({SourceId{5000 + random() % 4000}, user(), then, "loaded", {}});
      const LoadedEdge edge{user(), user()};
      if (edge.follower != edge.followee) edges.push_back(edge);
      reactions.push_back({user(), {}, static_cast<ReactionType>(1 + random() % 3)});
    }
  }
  // What hangs on posts can be said once those have their ids.
  void aim_at(const std::vector<PostId>& there) {
    for (std::size_t i = 0; i < comments.size(); ++i) {
      comments[i].post = reactions[i].post = there[i * 7 % there.size()];
      if (i % 3 == 0)
        reposts.push_back(
            {SourceId{10'000 + i}, posts[i].author, posts[i].created_at, "", reactions[i].post});
    }
  }
  std::vector<LoadedPost> posts;
  std::vector<LoadedPost> reposts;
  std::vector<LoadedComment> comments;
  std::vector<LoadedReaction> reactions;
  std::vector<LoadedEdge> edges;
};

}  // namespace

TEST_CASE("far store: a step of each consumer takes three fetches at most") {
  const std::uint64_t seed = first_seed();
  for (std::uint64_t world = seed; world < seed + worlds_or(10); ++world) {
    INFO("CHIRP_SEED=" << world << " CHIRP_WORLDS=1 shows it again");
    Pair pair;
    pair.fill(world);
    const Clock& clock = pair.clock;
    Storage& far = pair.far;
    const events::FanOutBounds small{.events = 500, .deliveries = 300, .chunk = 4};
    CHECK(drained(pair, events::FanOut(pair.model, clock, small),
                  events::FanOut(far, clock, small)) <= kStepFetchesMax);
    CHECK(drained(pair, events::CounterConsumer(pair.model, clock),
                  events::CounterConsumer(far, clock)) <= kStepFetchesMax);
    CHECK(drained(pair, events::NotificationConsumer(pair.model, clock),
                  events::NotificationConsumer(far, clock)) <= kStepFetchesMax);
    CHECK(drained(pair, events::TrendConsumer(pair.model, clock),
                  events::TrendConsumer(far, clock)) <= kStepFetchesMax);
    pair.clock.advance(8 * kDayMs);
    CHECK(drained(pair, events::TrendConsumer(pair.model, clock),
                  events::TrendConsumer(far, clock)) <= kStepFetchesMax);
    pair.check_same();
  }
}

TEST_CASE("far store: followers of all authors whose posts are delivered are one read") {
  Pair pair;
  pair.fill(first_seed());
  const auto snapshot = pair.model.snapshot();
  // The state; the log, its authors, their followers; the queue, its authors, their followers.
  constexpr int kReads = 7;
  for (const std::uint32_t deliveries : {50u, 300u, 1'000'000u}) {
    for (const std::uint32_t chunk : {1u, 4u, 1000u}) {
      INFO(deliveries << " deliveries by " << chunk);
      FarSnapshot far(*snapshot);
      events::Gatherer gatherer(events::Bindings(events::FanOut::kBindings),
                                {.events = 2000, .deliveries = deliveries, .chunk = chunk});
      CHECK(gatherer.gather(far, pair.clock.now()));
      CHECK(far.rounds() <= kReads);
    }
  }
}

TEST_CASE("far store: a batch of a load takes a few fetches") {
  Pair pair;
  pair.fill(first_seed());
  Loads loads(first_seed(), pair.clock.now());
  const auto now = [&] { return pair.clock.now(); };
  for (int again = 0; again < 2; ++again) {
    CHECK(pair.both([&](Storage& far) { rules::load_edges(far, loads.edges, now()); }) <= 4);
    CHECK(pair.both([&](Storage& far) { rules::load_posts(far, loads.posts, now()); }) <= 4);
    pair.clock.advance(1000);
  }
  loads.aim_at(pair.posts());
  CHECK(pair.both([&](Storage& far) { rules::load_posts(far, loads.reposts, now()); }) <= 5);
  CHECK(pair.both([&](Storage& far) { rules::load_comments(far, loads.comments, now()); }) <= 5);
  CHECK(pair.both([&](Storage& far) { rules::load_reactions(far, loads.reactions, now()); }) <= 3);
  pair.check_same();
}

TEST_CASE("far store: new bounds of tiers take a few fetches for so many users") {
  Pair pair;
  pair.fill(first_seed());
  const auto now = pair.clock.now();
  events::drain(pair.model, pair.clock);
  events::drain(pair.far, pair.clock);
  feed::FeedSettings settings = pair.model.snapshot()->state().settings;
  settings.influencer_from = 2;
  settings.celebrity_above = 4;
  CHECK(pair.both([&](Storage& far) { rules::put_settings(far, settings, now); }) <= 3);
  for (bool settled = false; !settled;) {
    CHECK(pair.both([&](Storage& far) { settled = rules::settle_tiers(far, 20, now); }) <= 5);
  }
  pair.check_same();
}

TEST_CASE("far store: a step of a removal takes a few fetches, whatever it takes away") {
  const std::uint64_t seed = first_seed();
  for (std::uint64_t world = seed; world < seed + worlds_or(10); ++world) {
    INFO("CHIRP_SEED=" << world << " CHIRP_WORLDS=1 shows it again");
    Pair pair;
    pair.fill(world);
    const auto now = pair.clock.now();
    std::vector<Change> marks;
    for (std::uint32_t user = 1; user <= 30; ++user) {
      marks.push_back(MarkRemoved{UserNumber{user}});
    }
    pair.write(marks);
    for (std::uint32_t user = 1; user <= 30; ++user) {
      for (bool gone = false; !gone;) {
        CHECK(pair.both([&](Storage& storage) {
          gone = rules::remove_traces(storage, UserNumber{user}, 100, now);
        }) <= 6);
      }
    }
    for (bool gone = false; !gone;) {
      CHECK(pair.both([&](Storage& storage) {
        gone = rules::remove_post_traces(storage, 100, now);
      }) <= 6);
    }
    pair.check_same();
  }
}

}  // namespace chirp::test::steps_test
