// Goal: `chirp stats --full` says how many users have how many followers.
// Method: distributions of numbers made by hand, one held against counting, and a small world with
// somebody who is being removed.
#include "cli/directory/degrees.h"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/small_world.h"

namespace chirp::test {
namespace {

using cli::Distribution;
using Numbers = std::vector<std::uint64_t>;

Numbers users_in(const Distribution& made) {
  Numbers users;
  for (const auto& bucket : made.buckets) users.push_back(bucket.users);
  return users;
}

}  // namespace

TEST_CASE("degrees: buckets are 0, 1, 2 to 3, 4 to 7 and so on, up to the last that has anybody") {
  const Distribution made = cli::distribution_of({9, 0, 3, 1, 0, 2, 15, 8});
  CHECK(users_in(made) == Numbers{2, 1, 2, 0, 3});
  Numbers bounds;
  for (const auto& bucket : made.buckets) {
    bounds.push_back(bucket.from);
    bounds.push_back(bucket.to);
  }
  CHECK(bounds == Numbers{0, 0, 1, 1, 2, 3, 4, 7, 8, 15});
  CHECK(cli::distribution_of({}).buckets.empty());
  CHECK(cli::distribution_of({}).most == 0);
  CHECK(users_in(cli::distribution_of({0})) == Numbers{1});
}

TEST_CASE("degrees: so many in a hundred have at most as many") {
  for (const std::uint64_t size : {1u, 2u, 3u, 10u, 99u, 100u, 101u, 1000u}) {
    Numbers numbers;
    for (std::uint64_t i = 0; i < size; ++i) numbers.push_back((i * 7919) % 613);
    const Distribution made = cli::distribution_of(numbers);
    const auto least = [&](std::uint64_t percent) {
      for (std::uint64_t n = 0;; ++n) {
        const auto have = static_cast<std::uint64_t>(
            std::count_if(numbers.begin(), numbers.end(), [&](std::uint64_t m) { return m <= n; }));
        if (have * 100 >= size * percent) return n;
      }
    };
    CHECK(made.median == least(50));
    CHECK(made.p90 == least(90));
    CHECK(made.p99 == least(99));
    CHECK(made.most == *std::max_element(numbers.begin(), numbers.end()));
  }
}

TEST_CASE("degrees: of a world, whoever is being removed left out") {
  SmallWorld world(5);
  world.follow(1, 2);
  world.follow(3, 2);
  world.follow(4, 2);
  world.follow(2, 1);
  world.leave(5);
  const auto degrees = cli::degrees_of(*world.storage.snapshot());
  CHECK(users_in(degrees.followers) == Numbers{2, 1, 1});
  CHECK(users_in(degrees.following) == Numbers{0, 4});
  CHECK(degrees.followers.most == 3);
  CHECK(degrees.following.median == 1);
}

}  // namespace chirp::test
