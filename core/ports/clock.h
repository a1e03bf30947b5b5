// The engine's source of time.
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
  // Never steps back; only differences have a meaning. Nanoseconds.
  [[nodiscard]] virtual std::int64_t steady_ns() const = 0;
  // Calls the function when a clock is moved by hand, while the returned handle lives, so that
  // waits until a time can be corrected. Clocks that run by themselves never call it.
  [[nodiscard]] virtual std::shared_ptr<void> when_moved(std::function<void()> /*told*/) const {
    return nullptr;
  }
};

}  // namespace chirp
