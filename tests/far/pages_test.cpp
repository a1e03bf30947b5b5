// Goal: a page out of a store that is far away takes four exchanges, and two more each time its
// window doubles.
// Method: pages of small worlds over a snapshot that counts the exchanges a far store would need.
#include <algorithm>

#include <doctest/doctest.h>

#include "core/feed/home_feed.h"
#include "core/feed/page.h"
#include "tests/support/far_snapshot.h"
#include "tests/support/mixed_changes.h"
#include "tests/support/seeds.h"
#include "tests/support/small_world.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

constexpr int kRoundsOfPage = 4;
constexpr int kRoundsOfWindow = 2;

struct Rounds {
  feed::Page page;
  int rounds = 0;
  int windows = 0;
};

Rounds read(const Storage& storage, const feed::PageRequest& request, const Clock& clock) {
  const auto state = storage.snapshot();
  const FarSnapshot far(*state);
  Rounds result;
  result.page = feed::home_feed(far, request, clock);
  feed::hydrate(far, request.viewer, result.page.items);
  result.rounds = far.rounds();
  result.windows = far.windows();
  return result;
}

int allowed(int windows) { return kRoundsOfPage + kRoundsOfWindow * (std::max(windows, 1) - 1); }

}  // namespace

TEST_CASE("far store: a page takes four rounds, however much is pulled or reposted") {
  // Half of them are followed, and repost what the others write: nothing folds.
  SmallWorld world(31);
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
    feed::PageRequest request = SmallWorld::asking(1);
    const Rounds rounds = read(world.storage, request, world.clock);
    CHECK(rounds.page.items.size() == request.limit);
    CHECK(rounds.rounds <= kRoundsOfPage);
    world.fan_out();
  }
}

TEST_CASE("far store: a page takes two rounds more for a followee of whom nothing is shown") {
  SmallWorld world(3);
  world.follow(1, 2);
  world.follow(1, 3);
  world.posts(2, 5);
  world.posts(3, 1000);
  world.fan_out();
  world.write(Relate{UserNumber{1}, UserNumber{3}, Relation::kMute});
  for (const auto as_if : {feed::Policy::kPush, feed::Policy::kPull}) {
    feed::PageRequest request = SmallWorld::asking(1);
    request.as_if = as_if;
    const Rounds rounds = read(world.storage, request, world.clock);
    CHECK(rounds.page.items.size() == 5);
    CHECK(rounds.windows == 2);
    CHECK(rounds.rounds <= allowed(rounds.windows));
  }
}

TEST_CASE("far store: pages of random worlds take as many rounds as is said, both ways") {
  const std::uint64_t seed = first_seed();
  for (std::uint64_t at = seed; at < seed + worlds_or(10); ++at) {
    INFO("CHIRP_SEED=" << at << " CHIRP_WORLDS=1 shows it again");
    feed::FeedSettings settings;
    settings.cap = 40;
    SmallWorld world(60, settings);
    MixedChanges changes(at);
    for (int i = 0; i < 3000; ++i) {
      const Change change = changes.next();
      changes.made(change, world.write(change));
      if (i == 2000) world.fan_out();
    }
    for (std::uint32_t viewer = 1; viewer <= 60; ++viewer) {
      feed::PageRequest request = SmallWorld::asking(viewer);
      for (int pages = 0; pages < 3; ++pages) {
        const Rounds rounds = read(world.storage, request, world.clock);
        CHECK(rounds.rounds <= allowed(rounds.windows));
        if (!rounds.page.next_cursor) break;
        request.before = rounds.page.next_cursor;
      }
      if (!request.before) continue;
      request.after = std::exchange(request.before, std::nullopt);
      const Rounds rounds = read(world.storage, request, world.clock);
      CHECK(rounds.rounds <= allowed(rounds.windows));
    }
  }
}

}  // namespace chirp::test
