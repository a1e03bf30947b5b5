// Goal: failures are counted in a table of fixed size that may count too much, never too little.
// Method: the table beside a naive one that forgets nothing before its time, with more keys than
// there is room for.
#include "server/api/failure_counts.h"

#include <cstdint>
#include <map>

#include <doctest/doctest.h>

namespace chirp::api {
namespace {

constexpr std::int64_t kWindow = 1'000;

// Each key by itself.
struct Naive {
  struct Count {
    std::int64_t since = 0;
    std::uint64_t failures = 0;
  };
  void add(std::uint64_t key, std::int64_t now) {
    Count& count = counts[key];
    if (count.since + kWindow <= now) count = {now, 0};
    ++count.failures;
  }
  std::int64_t wait(std::uint64_t key, std::uint64_t most, std::int64_t now) {
    const auto found = counts.find(key);
    if (found == counts.end() || found->second.since + kWindow <= now) return 0;
    return found->second.failures < most ? 0 : found->second.since + kWindow - now;
  }
  std::map<std::uint64_t, Count> counts;
};

}  // namespace

TEST_CASE("failure counts: with room, each key is counted by itself") {
  FailureCounts counts(4, kWindow);
  counts.add(7, 10);
  counts.add(7, 20);
  counts.add(8, 30);
  CHECK(counts.wait_ns(7, 2, 40) == 970);
  CHECK(counts.wait_ns(7, 3, 40) == 0);
  CHECK(counts.wait_ns(8, 2, 40) == 0);
  CHECK(counts.wait_ns(8, 1, 40) == 990);
  CHECK(counts.wait_ns(9, 1, 40) == 0);
  CHECK(counts.wait_ns(7, 2, 1'009) == 1);
  CHECK(counts.wait_ns(7, 2, 1'010) == 0);
  counts.add(7, 1'010);
  CHECK(counts.wait_ns(7, 2, 1'011) == 0);
  CHECK(counts.wait_ns(7, 1, 1'011) == 999);
}

TEST_CASE("failure counts: a full table counts too much, never too little") {
  FailureCounts counts(2, kWindow);
  Naive naive;
  std::uint64_t seed = 11;
  const auto pick = [&](std::uint64_t below) {
    seed = seed * 6364136223846793005 + 1442695040888963407;
    return (seed >> 33) % below;
  };
  std::int64_t now = 5'000;
  std::uint64_t held_back = 0;
  for (int step = 0; step < 20'000; ++step) {
    now += static_cast<std::int64_t>(pick(40));
    // More at some times than at others.
    const std::uint64_t key = pick(step / 2'000 % 2 == 0 ? 20 : 200);
    const std::uint64_t most = 1 + pick(4);
    const std::int64_t truth = naive.wait(key, most, now);
    CHECK(counts.wait_ns(key, most, now) >= truth);
    held_back += truth > 0 ? 1 : 0;
    counts.add(key, now);
    naive.add(key, now);
  }
  CHECK(held_back > 100);
}

TEST_CASE("failure counts: once all windows are over, nothing is left of a full table") {
  FailureCounts counts(1, kWindow);
  for (std::uint64_t key = 0; key < 100; ++key) counts.add(key, 10);
  CHECK(counts.wait_ns(3, 1, 20) > 0);
  CHECK(counts.wait_ns(1'000, 50, 20) > 0);
  for (std::uint64_t key = 0; key < 101; ++key) CHECK(counts.wait_ns(key, 1, 1'010) == 0);
}

}  // namespace chirp::api
