// Goal: transactions of a load keep to their time, and batches to their order.
// Method: made-up measurements; a background that fails.
#include "core/pace.h"

#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

#include "core/limits.h"
#include "core/load/background.h"

namespace chirp::load {
namespace {
constexpr std::int64_t kTargetNs = std::int64_t{limits::kLoadTransactionMs} * 1'000'000;
}

TEST_CASE("pace: batches grow and shrink towards their time, within bounds") {
  Pace pace(1000, 100, 5000);
  pace.note(1000, kTargetNs);
  CHECK(pace.rows() == 1000);
  pace.note(1000, kTargetNs / 4);
  CHECK(pace.rows() == 2000);  // at most twice
  pace.note(2000, 0);
  CHECK(pace.rows() == 4000);
  pace.note(4000, 1);
  CHECK(pace.rows() == 5000);
  pace.note(10, kTargetNs * 10);  // too few to say anything
  CHECK(pace.rows() == 5000);
  for (int i = 0; i < 20; ++i) pace.note(pace.rows(), kTargetNs * 100);
  CHECK(pace.rows() == 100);
}

TEST_SUITE_BEGIN("threads");

TEST_CASE("background: batches are worked on in order, all of them") {
  std::vector<int> done;
  {
    Background<int> background([&](int batch) { done.push_back(batch); });
    for (int i = 0; i < 100; ++i) background.push(i);
    background.drain();
    CHECK(done.size() == 100);
    background.push(100);
  }  // what was pushed is done, drained or not
  REQUIRE(done.size() == 101);
  for (int i = 0; i < 101; ++i) CHECK(done[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("background: a failure comes back, and nothing after it is worked on") {
  std::vector<int> done;
  Background<int> background([&](int batch) {
    if (batch == 3) throw std::runtime_error("three");
    done.push_back(batch);
  });
  bool failed = false;
  for (int i = 0; i < 100 && !failed; ++i) {
    try {
      background.push(i);
    } catch (const std::runtime_error&) {
      failed = true;
    }
  }
  CHECK(failed);
  CHECK_THROWS_AS(background.drain(), std::runtime_error);
  CHECK_THROWS_AS(background.push(0), std::runtime_error);
  CHECK(done == std::vector<int>{0, 1, 2});
}

TEST_SUITE_END();

}  // namespace chirp::load
