// Goal: the graph that is stored is the graph that was read, whole runs at a time.
// Method: random edges beside a std::set, with runs of every small size.
#include "core/load/graph_loader.h"

#include <doctest/doctest.h>

#include "core/load/seed_random.h"
#include "core/ports/reads.h"
#include "tests/support/load_world.h"

namespace chirp::load {
namespace {

using test::LoadWorld;
using Follows = std::set<LoadWorld::Follow>;

std::vector<SourceEdge> edges_of(std::initializer_list<LoadWorld::Follow> pairs) {
  std::vector<SourceEdge> edges;
  for (const auto& [follower, followee] : pairs) {
    edges.push_back({SourceId{follower}, SourceId{followee}});
  }
  return edges;
}

GraphLoader loader_for(LoadWorld& world, GraphOptions options = {}) {
  return {world.storage, world.directory, world.clock, world.pause(), options};
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("graph loader: every edge once, whatever the run") {
  SeedRandom random(3, 0, 0);
  std::vector<SourceEdge> edges;
  Follows one_way;
  Follows both_ways;
  std::uint64_t loops = 0;
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t a = random.below(20) * 1'000'000'007;
    const std::uint64_t b = random.below(20) * 1'000'000'007;
    edges.push_back({SourceId{a}, SourceId{b}});
    if (a == b) {
      ++loops;
    } else {
      one_way.emplace(a, b);
      both_ways.emplace(a, b);
      both_ways.emplace(b, a);
    }
  }
  for (const Ways ways : {Ways::kOne, Ways::kBoth}) {
    const Follows& expected = ways == Ways::kOne ? one_way : both_ways;
    const std::uint64_t read = (edges.size() - loops) * (ways == Ways::kOne ? 1 : 2);
    for (const std::size_t run : {2u, 3u, 7u, 150u, 299u, 300u, 301u, 600u, 100'000u}) {
      for (const auto& [ids, window] : {std::pair{std::size_t{2}, run * 8},
                                        {5, run * 8},
                                        {5, 100'000},
                                        {1000, run * 8},
                                        {1000, 100'000}}) {
        CAPTURE(run);
        CAPTURE(ids);
        CAPTURE(window);
        LoadWorld world;
        GraphLoader loader = loader_for(
            world, {.ways = ways, .run = run, .window_bytes = window, .people = {.ids = ids}});
        loader.add(edges);
        loader.finish();
        CHECK(world.follows() == expected);
        const Counts counts = loader.counts();
        CHECK(counts.stored == expected.size());
        CHECK(counts.self_loops == loops);
        CHECK(counts.stored + counts.duplicates == read);
        CHECK(counts.users_added == 20);
      }
    }
  }
}

TEST_CASE("graph loader: loading again stores nothing, going on stores the rest") {
  LoadWorld world;
  const auto some = edges_of({{1, 2}, {2, 3}});
  const auto all = edges_of({{1, 2}, {2, 3}, {3, 1}, {4, 1}});
  for (const auto& [edges, stored] : {std::pair{some, 2u}, {all, 2u}, {all, 0u}}) {
    GraphLoader loader = loader_for(world);
    loader.add(edges);
    loader.finish();
    CHECK(loader.counts().stored == stored);
    CHECK(loader.counts().duplicates == edges.size() - stored);
  }
  CHECK(world.follows() == Follows{{1, 2}, {2, 3}, {3, 1}, {4, 1}});
}

TEST_CASE("graph loader: giving up keeps whole runs and nothing of the open one") {
  LoadWorld world;
  GraphLoader loader = loader_for(world, {.run = 2});
  loader.add(edges_of({{1, 2}, {2, 1}, {3, 4}, {4, 3}, {5, 6}}));
  loader.abandon();
  CHECK(world.follows() == Follows{{1, 2}, {2, 1}, {3, 4}, {4, 3}});
  CHECK(world.directory.count() == 4);

  LoadWorld untouched;
  GraphLoader first = loader_for(untouched);
  first.add(edges_of({{1, 2}}));
  first.abandon();
  CHECK(untouched.directory.count() == 0);
  CHECK(untouched.storage.snapshot()->state().log_end == Sequence{1});
}

TEST_CASE("graph loader: new follows carry the time of the batch, or the one given") {
  for (const auto& since : {std::optional<Time>(), std::optional(Time{1'000'000'000'000})}) {
    LoadWorld world;
    GraphLoader loader = loader_for(world, {.since = since, .people = {}});
    loader.add(edges_of({{1, 2}}));
    loader.finish();
    CHECK(reads::follows(*world.storage.snapshot(), world.user(1)->number, world.user(2)->number) ==
          since.value_or(LoadWorld::kNow));
  }
}

TEST_CASE("graph loader: names go to those in the graph alone") {
  LoadWorld world;
  GraphLoader loader = loader_for(world);
  loader.say({SourceId{1}, "mira", "", ""});
  loader.say({SourceId{9}, "nobody", "", ""});
  loader.add(edges_of({{1, 2}}));
  loader.finish();
  CHECK(world.names() == std::map<std::uint64_t, std::string>{{1, "mira"}, {2, "u2"}});
}

TEST_CASE("graph loader: a follow that a block forbids is left out, and the others are not") {
  SeedRandom random(5, 0, 0);
  constexpr std::uint64_t kPeople = 12;
  LoadWorld world;
  GraphLoader first = loader_for(world);
  for (std::uint64_t id = 1; id <= kPeople; ++id) first.meet(SourceId{id});
  first.finish();
  std::set<LoadWorld::Follow> blocks;
  std::vector<Change> changes;
  for (int i = 0; i < 20; ++i) {
    const std::uint64_t one = 1 + random.below(kPeople);
    const std::uint64_t other = 1 + random.below(kPeople);
    if (one == other || !blocks.emplace(one, other).second) continue;
    const UserNumber user = world.user(one)->number;
    changes.emplace_back(Relate{user, world.user(other)->number, Relation::kBlock});
    changes.emplace_back(Relate{world.user(other)->number, user, Relation::kMute});
  }
  for (const Outcome& outcome : world.storage.write(changes, LoadWorld::kNow)) {
    CHECK(outcome.result == Result::kDone);
  }
  Follows expected;
  std::vector<SourceEdge> edges;
  std::uint64_t severed = 0;
  for (std::uint64_t follower = 1; follower <= kPeople; ++follower) {
    for (std::uint64_t followee = 1; followee <= kPeople; ++followee) {
      if (follower == followee) continue;
      edges.push_back({SourceId{follower}, SourceId{followee}});
      if (blocks.contains({follower, followee}) || blocks.contains({followee, follower})) {
        ++severed;
      } else {
        expected.emplace(follower, followee);
      }
    }
  }
  REQUIRE(severed > 0);
  GraphLoader loader = loader_for(world, {.run = 30});
  loader.add(edges);
  loader.finish();
  CHECK(world.follows() == expected);
  CHECK(loader.counts().severed == severed);
  CHECK(loader.counts().stored == expected.size());
  CHECK(loader.counts().missing == 0);
}

// Each time that users are made, they may change any page of the stores' indexes.
TEST_CASE("graph loader: users of many runs are made at once, in the order of their source ids") {
  SeedRandom random(11, 0, 0);
  std::vector<SourceEdge> edges;
  std::map<std::uint64_t, UserNumber> expected;
  for (int i = 0; i < 400; ++i) {
    const std::uint64_t a = 1 + random.below(90);
    const std::uint64_t b = 1 + random.below(90);
    edges.push_back({SourceId{a}, SourceId{b}});
    if (a == b) continue;
    expected[a];
    expected[b];
  }
  std::uint32_t next = 0;
  for (auto& [source, number] : expected) number = UserNumber{++next};
  LoadWorld world;
  GraphLoader loader = loader_for(world, {.run = 10});
  loader.add(edges);
  CHECK(world.directory.count() == 0);
  loader.finish();
  for (const auto& [source, number] : expected) CHECK(world.user(source)->number == number);
}

TEST_CASE("graph loader: a name that is said after runs goes to a user of these") {
  LoadWorld world;
  GraphLoader loader = loader_for(world, {.run = 2, .people = {.name_bytes = 0}});
  loader.add(edges_of({{1, 2}, {2, 1}, {3, 4}}));  // one whole run, and an open one
  loader.say({SourceId{2}, "mira", "", ""});
  loader.finish();
  CHECK_FALSE(loader.names_refused());
  CHECK(world.names() ==
        std::map<std::uint64_t, std::string>{{1, "u1"}, {2, "mira"}, {3, "u3"}, {4, "u4"}});
}

TEST_CASE("graph loader: an empty graph changes nothing") {
  LoadWorld world;
  GraphLoader loader = loader_for(world);
  loader.add(edges_of({{1, 1}}));
  loader.finish();
  CHECK(loader.counts() == Counts{.self_loops = 1});
  CHECK(world.storage.snapshot()->state().log_end == Sequence{1});
}

TEST_SUITE_END();

}  // namespace chirp::load
