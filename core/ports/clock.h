// What the engine knows of time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "core/model/time.h"

namespace chirp {

class Clock {
 public:
  virtual ~Clock() = default;
  // Wall clock; may step back.
  [[nodiscard]] virtual Time now() const = 0;
  // Never steps back; of use for differences only. Nanoseconds.
  [[nodiscard]] virtual std::int64_t steady_ns() const = 0;
  // Whoever waits until a time is told when a clock is moved by hand, as long as what is returned
  // lives. Clocks that go on by themselves tell nothing: a wait for the time that is left is right.
  [[nodiscard]] virtual std::shared_ptr<void> when_moved(std::function<void()> /*told*/) const {
    return nullptr;
  }
};

}  // namespace chirp
