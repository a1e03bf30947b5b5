// Goal: passwords are hashed by few threads, whoever asks, and too many askers are told so.
// Method: a hasher that waits at a gate counts who is inside at once.

#include "server/engine/hashing_pool.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "server/limits.h"
#include "tests/support/eventually.h"

using namespace chirp;

namespace {

// Holds everybody who hashes until it is opened.
class Gate final : public PasswordHasher {
 public:
  [[nodiscard]] std::string hash(std::string_view password, unsigned cost) const override {
    const int now = ++inside;
    for (int known = most; now > known && !most.compare_exchange_weak(known, now);) continue;
    opened.wait();
    --inside;
    if (password == "bad") throw Error(ErrorCode::kInternal, "no");
    return std::string(password) + std::to_string(cost);
  }
  [[nodiscard]] bool matches(std::string_view password, std::string_view hash) const override {
    return password == hash;
  }

  std::promise<void> open;
  std::shared_future<void> opened = open.get_future().share();
  mutable std::atomic<int> inside{0};
  mutable std::atomic<int> most{0};
};

int workers() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency() / 2)); }

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("hashing pool: what threads ask for comes back to them, errors too") {
  Gate gate;
  gate.open.set_value();
  const auto pool = pool_hashing(gate);
  CHECK(pool->hash("secret", 4) == "secret4");
  CHECK(pool->matches("a", "a"));
  CHECK_FALSE(pool->matches("a", "b"));
  CHECK_THROWS_AS((void)pool->hash("bad", 4), Error);
  CHECK(pool->hash("secret", 5) == "secret5");
}

TEST_CASE(
    "hashing pool: few threads hash at once, a few more wait, the next is told that it is busy") {
  Gate gate;
  const auto pool = pool_hashing(gate);
  std::atomic<int> hashed{0};
  std::atomic<int> refused{0};
  const int most = workers() + static_cast<int>(limits::kPasswordQueueMax);
  std::vector<std::thread> askers;
  const auto ask = [&] {
    try {
      (void)pool->hash("secret", 4);
      ++hashed;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kUnavailable) ++refused;
    }
  };
  // Until the workers are busy, places in the queue come free.
  for (int i = 0; i < workers(); ++i) {
    askers.emplace_back(ask);
    CHECK(test::eventually([&] { return gate.inside == i + 1; }));
  }
  for (int i = workers(); i < most + 5; ++i) askers.emplace_back(ask);
  CHECK(test::eventually([&] { return refused == 5; }));
  gate.open.set_value();
  for (std::thread& asker : askers) asker.join();
  CHECK(hashed == most);
  CHECK(refused == 5);
  CHECK(gate.most == workers());
}

TEST_SUITE_END();
