// Goal: a health check is answered at once, whatever the store does, and says for a while that a
// store that kept callers waiting is not well.
// Method: a store behind a gate, by a clock that is moved by hand.
#include "server/engine/pulse.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

#include <doctest/doctest.h>

#include "core/ports/forwarding_storage.h"
#include "tests/support/eventually.h"
#include "tests/support/fake_clock.h"
#include "tests/support/stores.h"

namespace chirp::test::pulse_test {
namespace {

class Gate final : public ForwardingStorage {
 public:
  using ForwardingStorage::ForwardingStorage;

  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override {
    std::unique_lock lock(mutex_);
    ++came_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return is_open_; });
    return inner_.snapshot();
  }
  void open(bool is_open) {
    const std::lock_guard guard(mutex_);
    is_open_ = is_open;
    came_ = 0;
    changed_.notify_all();
  }
  void wait_for_somebody() {
    std::unique_lock lock(mutex_);
    CHECK(eventually(changed_, lock, [this] { return came_ != 0; }));
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable int came_ = 0;
  bool is_open_ = true;
};

constexpr std::int64_t ms(std::chrono::milliseconds time) { return time.count(); }

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("pulse: a store that does not answer is not well, at once and for a while after") {
  const auto store = store_kinds().front().make();
  Gate gate(store->storage());
  StillClock clock;
  Pulse pulse(gate, clock, std::chrono::seconds(10));
  CHECK(pulse.state().has_value());

  gate.open(false);
  clock.advance(ms(Pulse::kEach));  // a look that is due
  gate.wait_for_somebody();
  clock.advance(ms(Pulse::kOverdue));
  CHECK_FALSE(pulse.state().has_value());

  gate.open(true);
  CHECK_FALSE(pulse.state().has_value());
  CHECK(eventually([&] {
    clock.advance(ms(Pulse::kDoubt));
    return pulse.state().has_value();
  }));
}

TEST_CASE("pulse: a store that waits for nobody is asked by the caller") {
  const auto store = store_kinds().front().make();
  Gate gate(store->storage());
  const StillClock clock;
  Pulse pulse(gate, clock, {});
  CHECK(pulse.state().has_value());
}

TEST_SUITE_END();

}  // namespace chirp::test::pulse_test
