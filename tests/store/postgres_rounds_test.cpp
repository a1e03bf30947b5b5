// Goal: a page out of PostgreSQL takes four round trips, however much is pulled or reposted, and a
// batch of changes four besides those in which its rules ask.
// Method: worlds in a database, in which each round trip is counted by the connections; what a page
// shows is compared with one that reads nothing ahead in other tests.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/events/consumers.h"
#include "core/feed/home_feed.h"
#include "core/feed/page.h"
#include "core/rules/writing.h"
#include "store/postgres/storage.h"
#include "tests/support/fake_clock.h"
#include "tests/support/far_snapshot.h"
#include "tests/support/mixed_changes.h"
#include "tests/support/postgres_nodes.h"
#include "tests/support/postgres_server.h"
#include "tests/support/seeds.h"
#include "tests/support/storage_contract.h"

namespace chirp::test::postgres_rounds_test {
namespace {

constexpr std::uint64_t kTripsOfPage = 4;
// A page that finds hidden posts looks at more of them: their own, and the originals of reposts.
// What is pulled is read ahead from the second time on.
constexpr std::uint64_t kTripsOfWindow = 2;
constexpr std::uint64_t kTripsOfBatch = 4;
// Three times what they lack, and once more where they go up through removed comments.
constexpr std::uint64_t kTripsOfRules = 4;

std::uint64_t allowed(std::uint64_t windows) {
  return windows < 2 ? kTripsOfPage : kTripsOfPage + 1 + kTripsOfWindow * (windows - 1);
}

enum class Servers : std::uint8_t { kOne, kSeveral };

struct World {
  explicit World(std::uint32_t users, const feed::FeedSettings& settings = {},
                 Servers servers = Servers::kOne) {
    if (servers == Servers::kOne) {
      database = std::make_unique<PostgresDatabase>(kTestMachine);
      url = database->url();
    } else {
      nodes = std::make_unique<PostgresNodes>();
      url = nodes->url();
    }
    storage = postgres::open_storage(url);
    rules::change_settings(*storage, settings, clock.now());
    std::vector<Change> cards;
    for (std::uint32_t number = 1; number <= users; ++number)
      cards.emplace_back(PutCard{card(number)});
    storage->write(cards, clock.now());
  }
  Outcome write(const Change& change) { return storage->write({&change, 1}, clock.now()).front(); }
  PostId post(std::uint32_t author) { return write(Publish{UserNumber{author}, "text"}).post; }
  void follow(std::uint32_t follower, std::uint32_t followee) {
    write(Follow{UserNumber{follower}, UserNumber{followee}});
  }
  void change(feed::Policy policy) {
    feed::FeedSettings settings = storage->snapshot()->state().settings;
    settings.policy = policy;
    rules::change_settings(*storage, settings, clock.now());
  }
  void fan_out() {
    events::FanOut consumer(*storage, clock);
    while (consumer.step() != events::Progress::kIdle) continue;
  }

  std::unique_ptr<PostgresDatabase> database;
  std::unique_ptr<PostgresNodes> nodes;
  std::string url;
  std::unique_ptr<postgres::PostgresStorage> storage;
  FakeClock clock{kStart};
};

struct Read {
  feed::Page page;
  std::uint64_t trips = 0;
  std::uint64_t windows = 0;
};

Read read(const postgres::PostgresStorage& storage, const feed::PageRequest& request,
          const Clock& clock) {
  Read result;
  const std::uint64_t before = storage.round_trips();
  const auto snapshot = storage.snapshot();
  const FarSnapshot windows(*snapshot);
  result.page = feed::home_feed(windows, request, clock);
  feed::hydrate(windows, request.viewer, result.page.items);
  result.trips = storage.round_trips() - before;
  result.windows = static_cast<std::uint64_t>(windows.windows());
  return result;
}

feed::PageRequest asking(std::uint32_t viewer, std::uint32_t limit = 20) {
  feed::PageRequest request;
  request.viewer = UserNumber{viewer};
  request.limit = limit;
  return request;
}

// One that has asked nothing yet, but is connected.
std::unique_ptr<postgres::PostgresStorage> fresh(const World& world) {
  auto storage = postgres::open_storage(world.url);
  (void)storage->version();
  return storage;
}

void check_pages(Servers servers) {
  World world(31, {}, servers);
  for (std::uint32_t author = 2; author <= 16; ++author) world.follow(1, author);
  world.fan_out();
  for (std::uint32_t author = 2; author <= 16; ++author) {
    world.post(author);
    const PostId original = world.post(author + 15);
    world.write(Repost{UserNumber{author}, original});
    world.write(React{UserNumber{1}, original});
  }
  world.write(Relate{UserNumber{1}, UserNumber{5}, Relation::kMute});
  for (const auto policy : {feed::Policy::kPush, feed::Policy::kPull, feed::Policy::kHybrid}) {
    world.change(policy);
    // What happened since is in no timeline, and no process has seen it.
    for (int again = 0; again < 2; ++again) {
      const auto storage = fresh(world);
      for (const std::uint32_t limit : {1U, 5U, 20U}) {
        const Read first = read(*storage, asking(1, limit), world.clock);
        CHECK(first.page.items.size() == limit);
        // Over several servers the first page of a process asks for marks behind the number.
        const bool is_fresh = servers == Servers::kSeveral && limit == 1;
        CHECK(first.trips <= kTripsOfPage + (is_fresh ? 1 : 0));
        // Deep pages, and back up.
        feed::PageRequest deep = asking(1, limit);
        deep.before = first.page.next_cursor;
        if (!deep.before) continue;
        const Read second = read(*storage, deep, world.clock);
        CHECK(second.trips <= allowed(second.windows));
        feed::PageRequest back = asking(1, limit);
        back.after = second.page.prev_cursor;
        CHECK(read(*storage, back, world.clock).trips <= kTripsOfPage);
      }
      world.fan_out();
    }
  }
}

}  // namespace

TEST_CASE("postgres: round trips: a page takes four, however much is pulled or reposted") {
  if (!has_postgres()) return;
  check_pages(Servers::kOne);
  check_pages(Servers::kSeveral);
}

TEST_CASE("postgres: round trips: a page takes two more for a followee of whom nothing is shown") {
  if (!has_postgres()) return;
  World world(3);
  world.follow(1, 2);
  world.follow(1, 3);
  std::vector<Change> posts;
  for (int i = 0; i < 5; ++i) posts.emplace_back(Publish{UserNumber{2}, "text"});
  for (int i = 0; i < 1000; ++i) posts.emplace_back(Publish{UserNumber{3}, "text"});
  world.storage->write(posts, world.clock.now());
  world.fan_out();
  world.write(Relate{UserNumber{1}, UserNumber{3}, Relation::kMute});
  for (const auto as_if : {feed::Policy::kPush, feed::Policy::kPull}) {
    feed::PageRequest request = asking(1);
    request.as_if = as_if;
    const Read result = read(*world.storage, request, world.clock);
    CHECK(result.page.items.size() == 5);
    CHECK(result.windows == 2);
    CHECK(result.trips <= allowed(result.windows));
  }
}

TEST_CASE("postgres: round trips: pages of a random world, both ways") {
  if (!has_postgres()) return;
  const std::uint64_t seed = first_seed();
  INFO("CHIRP_SEED=" << seed << " shows it again");
  feed::FeedSettings settings;
  settings.cap = 40;
  World world(60, settings);
  MixedChanges changes(seed);
  for (int i = 0; i < 1500; ++i) {
    const Change change = changes.next();
    changes.made(change, world.write(change));
    if (i == 1000) world.fan_out();
  }
  for (std::uint32_t viewer = 1; viewer <= 60; ++viewer) {
    feed::PageRequest request = asking(viewer);
    for (int pages = 0; pages < 3; ++pages) {
      const Read result = read(*world.storage, request, world.clock);
      CHECK(result.trips <= allowed(result.windows));
      if (!result.page.next_cursor) break;
      request.before = result.page.next_cursor;
    }
    if (!request.before) continue;
    request.after = std::exchange(request.before, std::nullopt);
    const Read result = read(*world.storage, request, world.clock);
    CHECK(result.trips <= allowed(result.windows));
  }
}

TEST_CASE("postgres: round trips: a batch takes four besides those in which its rules ask") {
  if (!has_postgres()) return;
  const std::uint64_t seed = first_seed();
  INFO("CHIRP_SEED=" << seed << " shows it again");
  World world(60);
  MixedChanges changes(seed);
  std::uint64_t most = 0;
  for (int batch = 0; batch < 30; ++batch) {
    std::vector<Change> some;
    while (some.size() < 64) some.push_back(changes.next());
    const std::uint64_t before = world.storage->round_trips();
    const auto outcomes = world.storage->write(some, world.clock.now());
    most = std::max(most, world.storage->round_trips() - before);
    for (std::size_t i = 0; i < some.size(); ++i) changes.made(some[i], outcomes[i]);
  }
  CHECK(most <= kTripsOfRules + kTripsOfBatch);
  const std::uint64_t before = world.storage->round_trips();
  world.write(Publish{UserNumber{1}, "alone"});
  CHECK(world.storage->round_trips() - before <= kTripsOfBatch);
}

TEST_CASE("postgres: round trips: loads and steps of consumers take a few, whatever their size") {
  if (!has_postgres()) return;
  World world(200);
  std::vector<LoadedEdge> edges;
  std::vector<LoadedPost> posts;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    const UserNumber user{1 + i % 200};
    const UserNumber other{1 + (i % 200 + 1 + i / 200) % 200};
    edges.push_back({user, other});
    posts.push_back({SourceId{i + 1}, user, Time{kStart.ms - 1000 + i % 900}, "loaded #a"});
  }
  const auto trips_of = [&](const auto& call) {
    const std::uint64_t before = world.storage->round_trips();
    call();
    return world.storage->round_trips() - before;
  };
  const Time now = world.clock.now();
  CHECK(trips_of([&] { rules::load_edges(*world.storage, edges, now); }) <= 8);
  CHECK(trips_of([&] { rules::load_posts(*world.storage, posts, now); }) <= 8);
  for (std::uint32_t author = 1; author <= 50; ++author) world.post(author);
  // What a step reads, and the batch that keeps what it has made.
  events::FanOut fan_out(*world.storage, world.clock);
  events::CounterConsumer counters(*world.storage, world.clock);
  CHECK(trips_of([&] { fan_out.step(); }) <= 16);
  CHECK(trips_of([&] { counters.step(); }) <= 12);
}

}  // namespace chirp::test::postgres_rounds_test
