#include <chrono>
#include <cstdlib>

#include "core/error.h"
#include "store/data_directory.h"

namespace chirp::store {
namespace {

class SystemClock final : public Clock {
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

// Stands still, for examples and tests whose output is compared.
class StoppedClock final : public Clock {
 public:
  explicit StoppedClock(Time now) : now_(now) {}
  [[nodiscard]] Time now() const override { return now_; }
  [[nodiscard]] std::int64_t steady_ns() const override { return 0; }

 private:
  Time now_;
};

}  // namespace

std::unique_ptr<Clock> system_clock() {
  if (const char* text = std::getenv("CHIRP_TEST_CLOCK")) {
    const auto time = parse_iso8601(text);
    if (!time) {
      throw Error(ErrorCode::kInvalidArgument,
                  "CHIRP_TEST_CLOCK is not a time. Write it like 2026-01-15T18:30:00Z.");
    }
    return std::make_unique<StoppedClock>(*time);
  }
  return std::make_unique<SystemClock>();
}

}  // namespace chirp::store
