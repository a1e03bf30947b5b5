// Goal: the numbers of an export's users are found by their ids, and other ids are not found.
// Method: ids of several kinds against a std::map: spread, close together, in lumps, few, in order
// or not.
#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "cli/load/import_users.h"

namespace chirp::test::import_numbers_test {
namespace {

using cli::ImportNumbers;

std::vector<std::uint64_t> some_ids(std::mt19937_64& random, std::size_t count, int kind) {
  std::vector<std::uint64_t> ids;
  for (std::size_t i = 0; i < count; ++i) {
    switch (kind) {
      case 0:
        ids.push_back(1 + (random() >> 1));
        break;
      case 1:
        ids.push_back(1'000 + i);
        break;
      case 2:  // as a load makes them: thousands in a millisecond, then none for a while
        ids.push_back((i / 3'000 << 32) + i % 3'000 + 1);
        break;
      default:  // one far away from the others
        ids.push_back(i == 0 ? (std::uint64_t{1} << 63) - 1 : i);
        break;
    }
  }
  return ids;
}

}  // namespace

TEST_CASE("import numbers: each user is found, and no other id") {
  std::mt19937_64 random(1);
  for (const std::size_t count : {0U, 1U, 2U, 7U, 8U, 9U, 20'000U}) {
    for (int kind = 0; kind < 4; ++kind) {
      for (const bool is_shuffled : {false, true}) {
        CAPTURE(count);
        CAPTURE(kind);
        CAPTURE(is_shuffled);
        auto ids = some_ids(random, count, kind);
        std::ranges::sort(ids);
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        if (is_shuffled) std::ranges::shuffle(ids, random);
        ImportNumbers numbers;
        std::map<std::uint64_t, std::uint32_t> all;
        for (const std::uint64_t id : ids) {
          const auto number = static_cast<std::uint32_t>(all.size() + 5);
          all.emplace(id, number);
          numbers.add(UserId{id}, UserNumber{number});
        }
        numbers.finish();
        for (const std::uint64_t id : ids) {
          for (const std::uint64_t near : {id - 1, id, id + 1}) {
            const auto expected = all.find(near);
            const auto found = numbers.find(UserId{near});
            REQUIRE(found.has_value() == (expected != all.end()));
            if (found) REQUIRE(found->value == expected->second);
          }
        }
        CHECK_FALSE(numbers.find(UserId{0}));
        if (!all.contains(~std::uint64_t{0})) CHECK_FALSE(numbers.find(UserId{~std::uint64_t{0}}));
      }
    }
  }
}

}  // namespace chirp::test::import_numbers_test
