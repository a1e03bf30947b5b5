#include <chrono>
#include <cstdlib>

#include "core/error.h"
#include "store/data_directory.h"
#include "store/deadline.h"

namespace chirp::store {
namespace {

class SystemClock : public Clock {
 public:
  [[nodiscard]] Time now() const override {
    using namespace std::chrono;
    return {duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count()};
  }
  [[nodiscard]] std::int64_t steady_ns() const override {
    using namespace std::chrono;
    return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
  }
};

class StoppedWallClock : public SystemClock {
 public:
  explicit StoppedWallClock(Time now) : now_(now) {}
  [[nodiscard]] Time now() const override { return now_; }

 private:
  Time now_;
};

// Does not move, for examples and tests whose output is compared.
class StoppedClock final : public StoppedWallClock {
 public:
  using StoppedWallClock::StoppedWallClock;
  [[nodiscard]] std::int64_t steady_ns() const override { return 0; }
};

template <class Stopped>
std::unique_ptr<Clock> clock_of_machine() {
  if (const char* text = std::getenv("CHIRP_TEST_CLOCK")) {
    const auto time = parse_iso8601(text);
    if (!time) {
      throw Error(ErrorCode::kInvalidArgument,
                  "CHIRP_TEST_CLOCK is not a time. Write it like 2026-01-15T18:30:00Z.");
    }
    return std::make_unique<Stopped>(*time);
  }
  return std::make_unique<SystemClock>();
}

}  // namespace

const Clock& machine_clock() {
  static const SystemClock clock;
  return clock;
}

const Clock& pace_clock() {
  static const std::unique_ptr<Clock> clock = system_clock();
  return *clock;
}

std::unique_ptr<Clock> system_clock() { return clock_of_machine<StoppedClock>(); }

std::unique_ptr<Clock> serving_clock() { return clock_of_machine<StoppedWallClock>(); }

}  // namespace chirp::store
