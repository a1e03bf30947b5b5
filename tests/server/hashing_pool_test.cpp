// Goal: few threads hash all passwords, and callers beyond the limit get an error. Method: a hasher
// that waits at a gate counts the threads inside at once.

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
#include "tests/support/fake_clock.h"

namespace chirp::test::hashing_pool_test {
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
  [[nodiscard]] bool matches(std::string_view password, std::string_view hash,
                             unsigned) const override {
    return password == hash;
  }

  std::promise<void> open;
  std::shared_future<void> opened = open.get_future().share();
  mutable std::atomic<int> inside{0};
  mutable std::atomic<int> most{0};
};

int workers() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency() / 2), 1,
                    static_cast<int>(limits::kHashingPlaces / 2));
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("hashing pool: what threads ask for comes back to them, errors too") {
  Gate gate;
  gate.open.set_value();
  const test::StillClock clock;
  const auto pool = pool_hashing(gate, clock);
  CHECK(pool->hash("secret", 4) == "secret4");
  CHECK(pool->matches("a", "a", 4));
  CHECK_FALSE(pool->matches("a", "b", 4));
  CHECK_THROWS_AS((void)pool->hash("bad", 4), Error);
  CHECK(pool->hash("secret", 5) == "secret5");
}

TEST_CASE("hashing pool: few threads hash at once, a few more wait, the next is refused as busy") {
  Gate gate;
  const test::StillClock clock;
  const auto pool = pool_hashing(gate, clock);
  std::atomic<int> hashed{0};
  std::atomic<int> refused{0};
  const int most = static_cast<int>(limits::kHashingPlaces);
  std::vector<std::thread> askers;
  for (int i = 0; i < most + 5; ++i) {
    askers.emplace_back([&, i] {
      const HashingFrom from(HashingFor::kLogIn, "client " + std::to_string(i));
      try {
        (void)pool->hash("secret", 4);
        ++hashed;
      } catch (const Error& error) {
        if (error.code() == ErrorCode::kUnavailable) ++refused;
      }
    });
  }
  CHECK(test::eventually([&] { return refused == 5 && gate.inside == workers(); }));
  gate.open.set_value();
  for (std::thread& asker : askers) asker.join();
  CHECK(hashed == most);
  CHECK(refused == 5);
  CHECK(gate.most == workers());
}

TEST_CASE("hashing pool: a log-in finds room while one address fills it with sign-ups") {
  Gate gate;
  const test::StillClock clock;
  const auto pool = pool_hashing(gate, clock);
  std::atomic<int> refused{0};
  std::vector<std::thread> flood;
  constexpr int kMany = 60;
  for (int i = 0; i < kMany; ++i) {
    flood.emplace_back([&] {
      const HashingFrom from(HashingFor::kSignUp, "192.0.2.1");
      try {
        (void)pool->hash("secret", 4);
      } catch (const Error&) {
        ++refused;
      }
    });
  }
  const int places = static_cast<int>(std::min(limits::kHashingPerClient, limits::kHashingSignUps));
  CHECK(test::eventually([&] { return refused == kMany - places; }));
  std::atomic<bool> right{false};
  std::thread honest([&] {
    const HashingFrom from(HashingFor::kLogIn, "198.51.100.1");
    right = pool->matches("a", "a", 4);
  });
  gate.open.set_value();
  honest.join();
  for (std::thread& asker : flood) asker.join();
  CHECK(right);
  CHECK(refused == kMany - places);
}

TEST_CASE("hashing pool: a caller whose place is given up gets an error while it waits") {
  Gate gate;
  const test::StillClock clock;
  const auto pool = pool_hashing(gate, clock);
  std::atomic<int> refused{0};
  std::atomic<int> asked{0};
  std::vector<std::thread> askers;
  const auto ask = [&](const std::string& client) {
    askers.emplace_back([&, client] {
      const HashingFrom from(HashingFor::kLogIn, client);
      ++asked;
      try {
        (void)pool->hash("secret", 4);
      } catch (const Error&) {
        ++refused;
      }
    });
  };
  // Each has its full number of places, so the last of them is given up to whoever has none.
  for (std::size_t i = 0; i < limits::kHashingPlaces; ++i) {
    ask("client " + std::to_string(i / limits::kHashingPerClient));
  }
  CHECK(test::eventually([&] { return gate.inside == workers(); }));
  ask("somebody else");
  // One of the flood is refused, whichever came last.
  CHECK(test::eventually([&] { return refused == 1; }));
  gate.open.set_value();
  for (std::thread& asker : askers) asker.join();
  CHECK(refused == 1);
}

TEST_CASE("hashing pool: a caller that has waited long enough gets an error, and leaves the line") {
  Gate gate;
  test::StillClock clock;
  const auto pool = pool_hashing(gate, clock);
  std::vector<std::thread> busy;
  // As many as hash at once, so that nobody else has a turn before the gate is opened.
  for (int i = 0; i < workers(); ++i) {
    busy.emplace_back([&, i] {
      const HashingFrom from(HashingFor::kLogIn, "busy " + std::to_string(i));
      (void)pool->hash("secret", 4);
    });
    REQUIRE(test::eventually([&] { return gate.inside == i + 1; }));
  }
  // More than there are places for: each leaves its own again.
  for (std::size_t i = 0; i < 2 * limits::kHashingPlaces; ++i) {
    const std::int64_t looks = clock.looks();
    auto answer = std::async(std::launch::async, [&] {
      const HashingFrom from(i % 2 == 0 ? HashingFor::kLogIn : HashingFor::kSignUp, "impatient");
      return pool->hash("secret", 4);
    });
    // One look says until when it waits, and the next one that this has not passed.
    REQUIRE(test::eventually([&] { return clock.looks() >= looks + 2; }));
    clock.advance(limits::kHashingWaitMs - 1);
    REQUIRE(test::eventually([&] { return clock.looks() >= looks + 3; }));
    CHECK(answer.wait_for(std::chrono::seconds(0)) == std::future_status::timeout);
    clock.advance(1);
    try {
      (void)answer.get();
      FAIL("somebody hashed past the bound");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kUnavailable);
    }
  }
  gate.open.set_value();
  for (std::thread& asker : busy) asker.join();
  CHECK(pool->hash("secret", 4) == "secret4");
}

TEST_SUITE_END();

}  // namespace chirp::test::hashing_pool_test
