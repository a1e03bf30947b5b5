// Goal: a bulk load stores what loads in transactions store, nobody sees half of it, whatever
// others do meanwhile is kept, and one that ends early leaves nothing. Method: two stores with the
// same people; one takes a bulk load with runs of a thousand edges and small transactions, the
// other the same edges in transactions. Between any two transactions of the build something else
// happens.
#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/bulk_people.h"

namespace chirp::test::bulk_edges_test {

TEST_CASE("bulk edges: what is stored is what loads in transactions store") {
  std::mt19937_64 random(1);
  for (const std::uint32_t users : {3U, 50U, 2'000U}) {
    for (const std::size_t there : {0U, 30U, 5'000U}) {
      for (const std::size_t count : {0U, 1U, 40U, 7'000U}) {
        CAPTURE(users);
        CAPTURE(there);
        CAPTURE(count);
        BulkPeople bulk(users);
        BulkPeople plain(users);
        const Edges earlier = some_edges(random, users, there);
        const Edges edges = some_edges(random, users, count);
        for (BulkPeople* people : {&bulk, &plain}) {
          load_in_transactions(people->storage(), earlier);
          people->world.apply(Relate{UserNumber{1}, UserNumber{2}});
          people->world.apply(MarkRemoved{UserNumber{3}});
        }
        const LoadCounts expected = load_in_transactions(plain.storage(), edges);
        const BulkOptions options = users == 50 ? BulkOptions{.since = kStart} : small_steps();
        LoadCounts counts = bulk_load(bulk.storage(), edges, options);
        CHECK(counts.stored == expected.stored);
        // Edges that came twice within a run are the caller's to count.
        const auto all = [](const LoadCounts& some) {
          return some.stored + some.duplicates + some.missing + some.severed;
        };
        CHECK(all(counts) <= all(expected));
        CHECK((counts.missing == 0) == (expected.missing == 0));
        CHECK((counts.severed == 0) == (expected.severed == 0));
        while (!rules::settle_tiers(bulk.storage(), 100, kStart)) continue;
        CHECK(edges_in(bulk.storage(), users) == edges_in(plain.storage(), users));
        bulk.check_sound();
      }
    }
  }
}

TEST_CASE("bulk edges: one event and one generation, when all is there") {
  BulkPeople people(40);
  std::mt19937_64 random(2);
  const StoreState before = people.world.state();
  const auto first = edges_in(people.storage(), 40);
  int half_seen = 0;
  const LoadCounts counts =
      bulk_load(people.storage(), some_edges(random, 40, 300), small_steps(), [&](int) {
        const StoreState now = people.world.state();
        const bool is_there = now.generation != before.generation;
        if (!is_there && edges_in(people.storage(), 40) != first) ++half_seen;
        if (is_there && now.generation != before.generation + 1) ++half_seen;
      });
  CHECK(half_seen == 0);
  const auto events = people.world.events(before.log_end);
  REQUIRE_FALSE(events.empty());
  const auto loads = std::ranges::count(events, events::Topic::kLoadBatch, &events::Event::topic);
  CHECK(loads == 1);
  CHECK(counts.stored > 200);
}

TEST_CASE("bulk edges: a build that ends early leaves everything as it was, and can be repeated") {
  std::mt19937_64 random(3);
  const Edges edges = some_edges(random, 30, 200);
  for (int stop = 0;; ++stop) {
    CAPTURE(stop);
    BulkPeople people(30);
    load_in_transactions(people.storage(), some_edges(random, 30, 50));
    const auto before = edges_in(people.storage(), 30);
    const StoreState state = people.world.state();
    bool stopped = false;
    try {
      bulk_load(people.storage(), edges, small_steps(), [&](int transaction) {
        const bool is_there = people.world.state().generation != state.generation;
        if (transaction == stop && !is_there) throw Error(ErrorCode::kIo, "stopped");
      });
    } catch (const Error& error) {
      stopped = std::string(error.what()) == "stopped";
    }
    people.check_sound();
    if (!stopped) {
      CHECK(stop > 5);
      break;
    }
    CHECK(edges_in(people.storage(), 30) == before);
    CHECK(people.world.state().log_end == state.log_end);
    const LoadCounts counts = bulk_load(people.storage(), edges, small_steps());
    CHECK(counts.stored > 0);
    people.check_sound();
  }
}

TEST_CASE("bulk edges: what others change at any moment of the build is kept") {
  std::mt19937_64 random(4);
  const Edges earlier = some_edges(random, kActors, 60);
  const Edges edges = some_edges(random, kActors, 200);
  const LoadedEdge there = earlier.front();
  const LoadedEdge staged = *std::ranges::find_if(edges, [&](const LoadedEdge& edge) {
    return std::ranges::none_of(earlier, [&](const LoadedEdge& other) {
      return other.follower == edge.follower && other.followee == edge.followee;
    });
  });
  for (const auto& [name, act] : acts_on(there, staged)) {
    for (int moment = 0; moment < 400; ++moment) {
      CAPTURE(name);
      CAPTURE(moment);
      BulkPeople people(kActors);
      const bool acted = load_with_act(people, earlier, edges, moment, act);
      const auto follows = [&](const LoadedEdge& edge) {
        const tables::Following::Key key{edge.follower, edge.followee};
        return people.storage().snapshot()->find(key).has_value();
      };
      if (!acted) break;
      const std::string what = name;
      if (what == "unfollow") CHECK_FALSE(follows(there));
      if (what == "block" || what == "begin a removal" || what == "remove") {
        CHECK_FALSE((follows(staged) && what != "begin a removal"));
      } else {
        CHECK((follows(staged) || what == "follow and unfollow" || what == "block and unblock"));
      }
    }
  }
}

TEST_CASE("bulk edges: a second bulk load waits for the first, and can be given up") {
  BulkPeople people(20);
  std::mt19937_64 random(5);
  const Edges edges = some_edges(random, 20, 50);
  int waited = 0;
  bulk_load(people.storage(), edges, small_steps(), [&](int transaction) {
    if (transaction != 2) return;
    BulkOptions second = small_steps();
    second.wait = [&](std::string_view who) {
      CHECK(who.starts_with("pid "));
      if (++waited == 2) throw Error(ErrorCode::kUnavailable, "given up");
    };
    CHECK_THROWS_AS(bulk_load(people.storage(), edges, second), Error);
  });
  CHECK(waited == 2);
  CHECK(bulk_load(people.storage(), edges, small_steps()).stored == 0);
  people.check_sound();
}

TEST_CASE("bulk edges: runs that are put aside come back as they were, and are forgotten") {
  constexpr std::uint32_t kUsers = 2'000;
  std::mt19937_64 random(9);
  for (const std::size_t memory : {std::size_t{0}, std::size_t{200'000}, std::size_t{64} << 20}) {
    CAPTURE(memory);
    BulkPeople people(kUsers);
    BulkOptions options = small_steps();
    options.memory = memory;
    const auto bulk = people.storage().bulk_edges(options);
    std::set<std::uint64_t> expected;
    for (int round = 0; round < 2; ++round) {
      std::vector<std::vector<std::uint64_t>> runs;
      for (const std::size_t size : {1u, 30'000u, 5'000u}) {
        std::set<std::uint64_t> run;
        for (const auto& [follower, followee] : some_edges(random, kUsers, size)) {
          run.insert(std::uint64_t{follower.value} << 32 | followee.value);
        }
        expected.insert(run.begin(), run.end());
        runs.emplace_back(run.begin(), run.end());
        bulk->put_aside(runs.back());
      }
      std::size_t next = 0;
      bulk->take_aside([&](std::span<const std::uint64_t> run) {
        CHECK(std::ranges::equal(run, runs.at(next++)));
        bulk->add(run);
      });
      CHECK(next == runs.size());
    }
    bulk->take_aside([](std::span<const std::uint64_t>) { FAIL("it was handed out before"); });
    const auto at_once = [](const std::function<void()>& transaction) { transaction(); };
    CHECK(bulk->finish(kStart, at_once).stored == expected.size());
    people.check_sound();
  }
}

TEST_CASE("bulk edges: a bulk load pays for many edges in no order, and not for few or near ones") {
  constexpr std::uint32_t kUsers = 30'000;
  BulkPeople people(kUsers);
  std::mt19937_64 random(6);
  const Edges scattered = some_edges(random, kUsers, 200'000);
  CHECK_FALSE(people.storage().bulk_pays(scattered, 1'000));
  CHECK(people.storage().bulk_pays(scattered, 2'000'000));
  Edges near;
  for (std::uint32_t i = 1; i + 5 < kUsers; ++i) {
    for (std::uint32_t j = 1; j <= 5; ++j) near.push_back({UserNumber{i}, UserNumber{i + j}});
  }
  CHECK_FALSE(people.storage().bulk_pays(near, near.size()));
}

}  // namespace chirp::test::bulk_edges_test
