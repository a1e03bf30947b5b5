// Goal: threads that read through one hot set, while others write, each get a page of a state that
// there was between their asking and the answer; and so do those of a second hot set.
// Method: one thread changes a small world and keeps what it was after each change; readers compare
// their pages with the naive feeds of the states of that time. The thread sanitizer watches this
// one.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/events/consumers.h"
#include "core/hot/hot_set.h"
#include "core/rules/writing.h"
#include "tests/support/data_directories.h"
#include "tests/support/feed_simulation.h"
#include "tests/support/stores.h"

namespace chirp::test::threads_test {
namespace {

constexpr std::uint32_t kUsers = 5;
constexpr int kChanges = 250;

// What the world was after each change that was acknowledged.
class Past {
 public:
  explicit Past(World world) { worlds_.push_back(std::move(world)); }
  void add(World world) {
    const std::lock_guard lock(mutex_);
    worlds_.push_back(std::move(world));
  }
  [[nodiscard]] std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return worlds_.size();
  }
  [[nodiscard]] std::vector<World> from(std::size_t first) const {
    const std::lock_guard lock(mutex_);
    return {worlds_.begin() + static_cast<std::ptrdiff_t>(first), worlds_.end()};
  }

 private:
  mutable std::mutex mutex_;
  std::vector<World> worlds_;
};

bool is_page_of(const feed::Page& page, const feed::PageRequest& request, const World& world) {
  try {
    compare_page(page, request, world, naive_feed(world, request.viewer));
    return true;
  } catch (const Mismatch&) {
    return false;
  } catch (const std::out_of_range&) {
    return false;  // it shows what that world does not have
  }
}

std::vector<Change> some_change(std::mt19937_64& random, const World& world) {
  const UserNumber a{1 + static_cast<std::uint32_t>(random() % kUsers)};
  const UserNumber b{a.value % kUsers + 1};
  const auto newest = world.posts.empty() ? PostId{} : world.posts.rbegin()->first;
  switch (random() % 10) {
    case 0:
      return {RemovePost{newest}};
    case 1:
      return {Follow{a, b}};
    case 2:
      return {Unfollow{a, b}};
    case 3:
      return {Relate{a, b, Relation::kMute}};
    case 4:
      return {Unrelate{a, b, Relation::kMute}};
    case 5:
      return {Repost{a, newest}};
    default:
      return {Publish{a, "text"}};
  }
}

class Scene {
 public:
  explicit Scene(Storage& storage) : storage_(storage), past_(made()) {}

  void write() {
    std::mt19937_64 random(7);
    World world = past_.from(0).front();
    for (int i = 0; i < kChanges; ++i) {
      const auto changes = some_change(random, world);
      const auto outcomes = storage_.write(changes, test_clock().now());
      live(world, changes.front(), outcomes.front());
      past_.add(world);
      // Another generation, at times.
      if (i % 50 == 49) rules::retire_marks(storage_);
    }
    writing_ = false;
  }
  void keep_up() {
    while (writing_) {
      events::drain(storage_, test_clock());
      rules::trim_log(storage_, Time{test_clock().now().ms + kDayMs}, 20);
    }
  }
  void read(hot::HotSet& set, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    bool last = false;
    while (!last) {
      last = !writing_;
      feed::PageRequest request;
      request.viewer = UserNumber{1 + static_cast<std::uint32_t>(random() % kUsers)};
      request.limit = 1 + static_cast<std::uint32_t>(random() % 10);
      const std::size_t before = past_.size();
      const feed::Page page = set.page(request);
      // A change that is being acknowledged may be in the page already: it is waited for.
      bool found = false;
      do {
        last = last || !writing_;
        const auto worlds = past_.from(before - 1);
        found = std::ranges::any_of(
            worlds, [&](const World& world) { return is_page_of(page, request, world); });
      } while (!found && !last);
      if (!found) ++wrong_;
    }
  }
  [[nodiscard]] int wrong() const { return wrong_; }

 private:
  [[nodiscard]] World made() {
    World world;
    for (std::uint32_t user = 1; user <= kUsers; ++user) {
      AuthorCard card;
      card.number = UserNumber{user};
      card.id = UserId{user};
      card.username = fmt::format("u{}", user);
      change(world, PutCard{card});
    }
    for (std::uint32_t user = 1; user <= kUsers; ++user) {
      for (std::uint32_t other = 1; other <= kUsers; ++other) {
        if (other != user) change(world, Follow{UserNumber{user}, UserNumber{other}});
      }
    }
    return world;
  }
  void change(World& world, const Change& change) {
    live(world, change, storage_.write({&change, 1}, test_clock().now()).front());
  }

  Storage& storage_;
  Past past_;
  std::atomic<bool> writing_{true};
  std::atomic<int> wrong_{0};
};

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("threads: pages out of memory are those of a state of their time") {
  std::size_t bound = 0;
  SUBCASE("with room for everything") { bound = std::size_t{1} << 22; }
  SUBCASE("with room for little") { bound = 12 << 10; }
  for (const StoreKind& kind : store_kinds().first(2)) {
    CAPTURE(kind.name);
    const auto store = kind.make();
    Scene scene(store->storage());
    hot::HotSet one(store->storage(), test_clock(), bound);
    hot::HotSet other(store->storage(), test_clock(), bound);
    std::vector<std::thread> threads;
    threads.emplace_back([&] { scene.write(); });
    threads.emplace_back([&] { scene.keep_up(); });
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      threads.emplace_back([&, seed] { scene.read(one, seed); });
    }
    threads.emplace_back([&] { scene.read(other, 9); });
    for (std::thread& thread : threads) thread.join();
    CHECK(scene.wrong() == 0);
  }
}

TEST_SUITE_END();

}  // namespace chirp::test::threads_test
