// Goal: a feed is its definition, whatever is cached, capped, late, half-written or decided anew.
// Method: random worlds of a few users and random interleavings of everything that can happen to
// them, drawn and shrunk by rapidcheck; after every action the feed of everybody is compared with a
// naive one. CHIRP_SEED and CHIRP_WORLDS choose the worlds; a failure prints both, and the shortest
// trail of actions that still goes wrong.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "tests/support/feed_simulation.h"
#include "tests/support/seeds.h"
#include "tests/support/stores.h"

namespace chirp::test {
namespace {

// How many it takes to notice a fault: docs/decisions/0101-worlds.md.
constexpr std::uint64_t kWorlds = 1000;
constexpr std::uint64_t kWalkedWorlds = 250;
constexpr int kTrailMax = 240;  // half as many on average
// Stores on disk pay for every commit: they see a share of the worlds.
constexpr std::uint64_t kShareOnDisk = 10;

rc::Gen<std::uint32_t> setups() {
  return [](const rc::Random& random, int) {
    auto source = random;
    return rc::shrinkable::just(static_cast<std::uint32_t>(source.next()));
  };
}

rc::Gen<std::vector<Action>> trails(std::span<const Weight> weights, int length_max) {
  const rc::Gen<Action> action = [weights](const rc::Random& random, int) {
    auto source = random;
    std::mt19937_64 numbers(source.next());
    return rc::shrinkable::just(draw(numbers, weights));
  };
  return rc::gen::resize(length_max, rc::gen::container<std::vector<Action>>(action));
}

// Runs `property` on `worlds` random inputs; prints what is needed to run it again.
template <class Property>
void check_worlds(std::string_view store, std::uint64_t worlds, Property property) {
  if (worlds == 0) return;
  rc::detail::TestParams params;
  params.seed = first_seed();
  params.maxSuccess = static_cast<int>(worlds);
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata{}, params);
  const bool held = result.template is<rc::detail::SuccessResult>();
  if (!held) rc::detail::printResultMessage(result, std::cerr);
  INFO("run again with CHIRP_SEED=" << params.seed << " CHIRP_WORLDS="
                                    << number_in_environment("CHIRP_WORLDS", kWorldsUsual));
  INFO("store: " << store);
  CHECK(held);
}

std::uint64_t worlds_for(const StoreKind& kind, std::uint64_t usual) {
  const bool is_model = kind.name == store_kinds().front().name;
  return worlds_on(kind, is_model ? usual : usual / kShareOnDisk);
}

// The whole of a feed, walked down from the top and then up from where the walk began, with
// `between` done before every page but the first. Each page must be made of the entries that its
// cursors say it has consumed, no more and no fewer.
class Walker {
 public:
  Walker(Simulation& simulation, UserNumber viewer, std::uint32_t limit) : simulation_(simulation) {
    request_.viewer = viewer;
    request_.limit = limit;
  }

  // `feed` is what was there when the walk began. False if a page is not what it must be, or the
  // walk does not end with the feed.
  template <class Between>
  bool down(std::vector<Entry> feed, Between between) {
    for (;;) {
      const feed::Page page = simulation_.page(request_);
      if (!top_ && page.prev_cursor) top_ = page.prev_cursor;
      const PostId end = page.has_more ? page.next_cursor.value() : kBelowAllPosts;
      if (!consumes(page, feed, [&](const Entry& entry) { return entry.id >= end; })) return false;
      if (!page.has_more) return feed.empty();
      request_.before = page.next_cursor;
      between();
    }
  }

  // Up to the top, whatever comes in between. `below` are the entries that the walk down has seen.
  template <class Between>
  bool up(std::size_t below, Between between) {
    request_.before.reset();
    request_.after = top_.value_or(kBelowAllPosts);
    for (;;) {
      between();
      std::vector<Entry> feed = naive_feed(simulation_.world(), request_.viewer);
      feed.resize(feed.size() - below);
      const feed::Page page = simulation_.page(request_);
      const PostId end = page.has_more ? page.prev_cursor.value() : kAboveAllPosts;
      const std::size_t before = feed.size();
      if (!consumes(page, feed, [&](const Entry& entry) { return entry.id <= end; })) return false;
      below += before - feed.size();
      if (!page.has_more) return feed.empty();
      request_.after = page.prev_cursor;
    }
  }

 private:
  // Takes the entries that `is_in` off the feed and folds them: they are the page.
  template <class IsIn>
  bool consumes(const feed::Page& page, std::vector<Entry>& feed, IsIn is_in) {
    std::vector<Entry> consumed;
    std::copy_if(feed.begin(), feed.end(), std::back_inserter(consumed), is_in);
    std::erase_if(feed, is_in);
    auto items = folded_reposts(simulation_.world(), consumed);
    for (NaiveItem& item : items) {
      if (item.reposts.size() > limits::kRepostersShown) {
        item.reposts.resize(limits::kRepostersShown);
      }
    }
    return items_of(page) == items;
  }

  Simulation& simulation_;
  feed::PageRequest request_;
  std::optional<PostId> top_;
};

}  // namespace

TEST_CASE("worlds: feeds equal their definition after every action") {
  for (const StoreKind& kind : store_kinds()) {
    check_worlds(kind.name, worlds_for(kind, kWorlds), [&] {
      const auto setup = *setups();
      const auto trail = *trails(all_acts(), kTrailMax);
      const auto store = kind.make();
      try {
        Simulation simulation(store->storage(), setup);
        for (const Action& action : trail) {
          simulation.apply(action);
          simulation.check(action);
        }
        simulation.check_all();
      } catch (const Mismatch& mismatch) {
        RC_FAIL(std::string(mismatch.what()));
      }
    });
  }
}

TEST_CASE("worlds: a feed walked down and up while people post has no gaps and no repeats") {
  for (const StoreKind& kind : store_kinds()) {
    check_worlds(kind.name, worlds_for(kind, kWalkedWorlds), [&] {
      const auto setup = *setups();
      const auto before = *trails(all_acts(), kTrailMax);
      const auto during = *trails(posting_acts(), kTrailMax);
      const auto store = kind.make();
      try {
        Simulation simulation(store->storage(), setup);
        for (const Action& action : before) simulation.apply(action);
        const UserNumber viewer = simulation.user(setup);
        const std::vector<Entry> at_first = naive_feed(simulation.world(), viewer);
        std::size_t done = 0;
        const auto between = [&] {
          for (int i = 0; i < 3 && done < during.size(); ++i) simulation.apply(during[done++]);
        };
        Walker walker(simulation, viewer, 1 + setup % 5);
        RC_ASSERT(walker.down(at_first, between));
        RC_ASSERT(walker.up(at_first.size(), between));
      } catch (const Mismatch& mismatch) {
        RC_FAIL(std::string(mismatch.what()));
      }
    });
  }
}

}  // namespace chirp::test
