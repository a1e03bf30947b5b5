// Goal: the hot set stays within its bound, counted in bytes of the heap; what is read stays.
// Method: more readers and posts than there is room for; the allocator is asked what they take.
#include <malloc.h>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/hot/hot_set.h"
#include "server/json/render.h"
#include "tests/support/fake_clock.h"
#include "tests/support/faults.h"
#include "tests/support/stores.h"

namespace chirp::test {
namespace {

constexpr std::uint32_t kReaders = 600;
constexpr std::uint32_t kAuthors = 40;

// Readers 1 to `readers` follow some of the authors above kReaders, who have posted texts of all
// lengths.
void make_world(Storage& storage, const Clock& clock, std::uint32_t readers = kReaders) {
  std::vector<Change> changes;
  for (std::uint32_t user = 1; user <= kReaders + kAuthors; ++user) {
    AuthorCard card;
    card.number = UserNumber{user};
    card.id = UserId{user};
    card.username = fmt::format("user{}", user);
    card.display_name = fmt::format("Somebody with a long name, number {}", user);
    changes.emplace_back(PutCard{card});
  }
  for (std::uint32_t i = 0; i < kAuthors * 60; ++i) {
    changes.emplace_back(
        Publish{UserNumber{kReaders + 1 + i % kAuthors}, std::string(20 + i % 200, 'x')});
  }
  for (std::uint32_t reader = 1; reader <= readers; ++reader) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t author = kReaders + 1 + (reader * 7 + i * 11) % kAuthors;
      changes.emplace_back(Follow{UserNumber{reader}, UserNumber{author}});
    }
  }
  (void)storage.write(changes, clock.now());
}

feed::Page read(hot::HotSet& set, std::uint32_t reader) {
  feed::PageRequest request;
  request.viewer = UserNumber{reader};
  return set.page(request);
}

std::size_t heap_bytes() { return mallinfo2().uordblks; }

// So few that each shard has two windows at most: wherever the hand comes by, it takes them.
constexpr std::uint32_t kFewReaders = 40;
constexpr std::size_t kLongText = 2'000;

// Half of the authors post, long texts, and all readers come twice: who is the first to read a post
// brings it. How many of the second pages came from memory.
std::uint32_t go_round(Storage& storage, const Clock& clock, hot::HotSet& set) {
  std::vector<Change> changes;
  for (std::uint32_t i = 0; i < kAuthors / 2; ++i) {
    changes.emplace_back(Publish{UserNumber{kReaders + 1 + i}, std::string(kLongText, 'y')});
  }
  (void)storage.write(changes, clock.now());
  for (std::uint32_t reader = 1; reader <= kFewReaders; ++reader) (void)read(set, reader);
  std::uint32_t from_memory = 0;
  for (std::uint32_t reader = 1; reader <= kFewReaders; ++reader) {
    if (read(set, reader).cost.from_memory) ++from_memory;
  }
  return from_memory;
}

}  // namespace

TEST_CASE("hot set: all that it holds is within its bound, as the heap counts it") {
  if (built_with_sanitizer()) {
    MESSAGE("skipped: a sanitizer has a heap of its own");
    return;
  }
  const auto store = store_kinds()[1].make();  // of little heap
  const FakeClock clock;
  const api::FieldPrinter printer;
  make_world(store->storage(), clock);
  for (const std::size_t bound : {std::size_t{200} << 10, std::size_t{1} << 20}) {
    CAPTURE(bound);
    const std::size_t before = heap_bytes();
    hot::HotSet set(store->storage(), clock, bound, &printer);
    for (int round = 0; round < 3; ++round) {
      for (std::uint32_t reader = 1; reader <= kReaders; ++reader) {
        (void)read(set, reader);
        REQUIRE(set.use().bytes <= bound);
      }
    }
    const auto taken = static_cast<double>(heap_bytes() - before);
    const auto said = static_cast<double>(set.use().bytes);
    // It is full, and what it says is what the heap has, but for its own fixed part.
    CHECK(said > 0.7 * static_cast<double>(bound));
    CHECK(taken < 1.2 * static_cast<double>(bound));
    CHECK(taken > 0.8 * said);
  }
}

TEST_CASE("hot set: what is read again and again stays, whatever else is read once") {
  const auto store = store_kinds()[1].make();
  const FakeClock clock;
  make_world(store->storage(), clock);
  hot::HotSet set(store->storage(), clock, std::size_t{400} << 10);
  (void)read(set, 1);
  int from_memory = 0;
  for (std::uint32_t reader = 2; reader <= kReaders; ++reader) {
    (void)read(set, reader);
    if (read(set, 1).cost.from_memory) ++from_memory;
  }
  CHECK(from_memory > static_cast<int>(kReaders) * 9 / 10);
}

TEST_CASE("hot set: posts that no window shows any more go before any window does") {
  constexpr std::size_t kRoundsShown = 46;  // a window holds no more of one author
  constexpr std::size_t kRounds = 300;
  const auto store = store_kinds()[1].make();
  const FakeClock clock;
  const api::FieldPrinter printer;
  make_world(store->storage(), clock, kFewReaders);
  std::size_t shown = 0;
  {
    hot::HotSet set(store->storage(), clock, std::size_t{1} << 30, &printer);
    const std::size_t set_aside = set.use().bytes;  // for arrivals, by the bound
    for (std::size_t round = 0; round < kRoundsShown; ++round) {
      (void)go_round(store->storage(), clock, set);
    }
    shown = set.use().bytes - set_aside;
  }
  // All windows and whatever they may show at one time fit, and a sixteenth for arrivals; all that
  // comes by does not.
  const std::size_t bound = shown + shown / 4;
  REQUIRE(kRounds * (kAuthors / 2) * kLongText > bound);
  hot::HotSet set(store->storage(), clock, bound, &printer);
  for (std::size_t round = 0; round < kRounds; ++round) {
    CAPTURE(round);
    REQUIRE(go_round(store->storage(), clock, set) == kFewReaders);
    // What windows grow by is made up for when the next post comes.
    REQUIRE(set.use().bytes <= bound + bound / 8);
  }
}

TEST_CASE("hot set: without room nothing is held, and every page is right") {
  const auto store = store_kinds()[0].make();
  const FakeClock clock;
  make_world(store->storage(), clock);
  hot::HotSet set(store->storage(), clock, 0);
  for (int round = 0; round < 2; ++round) {
    const feed::Page page = read(set, 5);
    CHECK(page.items.size() == limits::kPostPageDefault);
    CHECK_FALSE(page.cost.from_memory);
  }
  CHECK(set.use().bytes == 0);
}

}  // namespace chirp::test
