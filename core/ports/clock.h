// What the engine knows of time.
#pragma once

#include <cstdint>

#include "core/model/time.h"

namespace chirp {

class Clock {
 public:
  virtual ~Clock() = default;
  // Wall clock; may step back.
  [[nodiscard]] virtual Time now() const = 0;
  // Never steps back; of use for differences only. Nanoseconds.
  [[nodiscard]] virtual std::int64_t steady_ns() const = 0;
};

}  // namespace chirp
