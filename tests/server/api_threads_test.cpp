// Goal: what all calls share keeps its counts when many threads use it at the same time.
// Method: threads that start together on one object each; the sums must be what one thread gets.
// The thread sanitizer watches.
#include <atomic>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "server/api/live_settings.h"
#include "server/api/login_failures.h"
#include "server/api/problem.h"
#include "server/api/rate_limits.h"
#include "tests/model/storage.h"
#include "tests/support/api_client.h"

namespace chirp::test {
namespace {

constexpr int kThreads = 8;

template <class Work>
void together(Work work) {
  std::latch start(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      work(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("api shared: threads that count at the same time grant what one would") {
  const StillClock clock;
  api::RateLimits rates(clock);
  std::atomic<int> granted = 0;
  together([&](int thread) {
    for (int i = 0; i < 1000; ++i) {
      if (rates.take("all", 1500).granted) ++granted;
      CHECK(rates.take("thread " + std::to_string(thread), 1000).granted);
    }
  });
  CHECK(granted == 1500);
}

TEST_CASE("api shared: failures of many threads are all counted") {
  const StillClock clock;
  api::LoginFailures failures(clock);
  together([&](int thread) {
    for (int i = 0; i < 100; ++i) {
      failures.check({"quiet", std::nullopt, "home"}, {1, 1});
      failures.failed({"mira", std::nullopt, "address " + std::to_string(thread)});
      failures.succeeded({"familiar " + std::to_string(i), std::nullopt, "home"});
    }
  });
  CHECK_NOTHROW(failures.check({"mira", std::nullopt, "elsewhere"}, {801, 801}));
  CHECK_THROWS_AS(failures.check({"mira", std::nullopt, "elsewhere"}, {800, 801}), api::Problem);
  CHECK_THROWS_AS(failures.check({"other", std::nullopt, "address 3"}, {801, 100}), api::Problem);
}

TEST_CASE("api shared: settings change under threads that read them meanwhile") {
  model::ModelStorage storage;
  const StillClock clock;
  Log log(Log::Requests::kQuiet);
  api::LiveSettings live(storage, clock, log);
  together([&](int thread) {
    for (int i = 0; i < 200; ++i) {
      if (thread == 0) {
        settings::set(storage, "http.rate_limit", std::to_string(i + 1), clock.now());
      }
      CHECK(live.get()->rate_limit >= 1);
    }
  });
}

TEST_SUITE_END();

}  // namespace chirp::test
