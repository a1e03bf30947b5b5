// Goal: a ranked walk can be gone on with while it is used, by its reader alone, and however many
// are begun the memory they take is bounded.
// Method: snapshots by hand; time as it is said.
#include "server/api/ranked_walks.h"

#include <limits>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

namespace chirp::api {
namespace {

constexpr Time kStart{1'700'000'000'000};
constexpr UserNumber kMira{1};
constexpr UserNumber kYuki{2};

Time after(std::int64_t ms) { return Time{kStart.ms + ms}; }

RankedWalks::Snapshot snapshot_of(UserNumber viewer, std::size_t items = 1) {
  auto snapshot = std::make_shared<feed::RankedSnapshot>();
  snapshot->viewer = viewer;
  snapshot->ranked.resize(items);
  for (feed::RankedEntry& entry : snapshot->ranked) entry.entries.resize(2);
  return snapshot;
}

}  // namespace

TEST_CASE("ranked walks: a walk lapses when it has not been used for ten minutes") {
  RankedWalks walks;
  const auto snapshot = snapshot_of(kMira);
  const auto key = walks.keep(snapshot, kStart);
  CHECK(walks.find(key, kMira, after(limits::kRankedWalkMs)) == snapshot);
  CHECK(walks.find(key, kMira, after(2 * limits::kRankedWalkMs)) == snapshot);
  CHECK(walks.find(key, kMira, after(3 * limits::kRankedWalkMs + 1)) == nullptr);
  CHECK(walks.walks() == 0);
  CHECK(walks.bytes() == 0);
}

TEST_CASE("ranked walks: nobody goes on with another's walk") {
  RankedWalks walks;
  const auto key = walks.keep(snapshot_of(kMira), kStart);
  CHECK(walks.find(key, kYuki, kStart) == nullptr);
  CHECK(walks.find(key + 1, kMira, kStart) == nullptr);
  CHECK(walks.find(key, kMira, kStart) != nullptr);
}

TEST_CASE("ranked walks: past a bound the walk that was used longest ago goes") {
  RankedWalks walks({3, 2, std::size_t{1} << 20});
  const auto first = walks.keep(snapshot_of(kMira), kStart);
  const auto second = walks.keep(snapshot_of(kMira), after(1));
  CHECK(walks.find(first, kMira, after(2)) != nullptr);
  const auto third = walks.keep(snapshot_of(kMira), after(3));  // a third of one reader
  CHECK(walks.find(second, kMira, after(4)) == nullptr);
  CHECK(walks.find(first, kMira, after(4)) != nullptr);
  CHECK(walks.find(third, kMira, after(4)) != nullptr);
  const auto other = walks.keep(snapshot_of(kYuki), after(5));
  CHECK(walks.walks() == 3);
  CHECK(walks.keep(snapshot_of(UserNumber{3}), after(6)) != other);  // a fourth in all
  CHECK(walks.walks() == 3);
  CHECK(walks.find(first, kMira, after(7)) == nullptr);
  CHECK(walks.find(other, kYuki, after(7)) != nullptr);
}

TEST_CASE("ranked walks: the memory they take is bounded, whatever their size") {
  constexpr std::size_t kBytes = 100'000;
  RankedWalks walks({1'000, 1'000, kBytes});
  std::vector<RankedWalks::Key> keys;
  for (std::uint32_t i = 0; i < 100; ++i) {
    keys.push_back(walks.keep(snapshot_of(UserNumber{i}, 1 + i % 50), kStart));
    CHECK(walks.bytes() <= kBytes);
  }
  CHECK(walks.walks() > 10);
  CHECK(walks.walks() < 100);
  CHECK(walks.find(keys.back(), UserNumber{99}, kStart) != nullptr);
  CHECK(walks.find(keys.front(), UserNumber{0}, kStart) == nullptr);
}

TEST_CASE("ranked walks: a cursor reads back as what it was written from, and no post id is one") {
  for (const RankedPlace& place : {RankedPlace{0, 0}, RankedPlace{0xfeed, 400},
                                   RankedPlace{std::numeric_limits<std::uint64_t>::max(), 7}}) {
    CHECK(parse_ranked_cursor(ranked_cursor(place)) == place);
  }
  for (const char* bad : {"", "r", "3446950332515487744", "r0000000000000001", "r0000000000000001-",
                          "r000000000000000g-1", "r0000000000000001-x", "x0000000000000001-1",
                          "r0000000000000001-99999999999999999999999"}) {
    CHECK_FALSE(parse_ranked_cursor(bad));
  }
}

}  // namespace chirp::api
