// The deadline of a query. While a query runs, nothing that it reads can be freed.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "core/error.h"
#include "core/ports/clock.h"

namespace chirp::query {

class QueryDeadline {
 public:
  QueryDeadline(const Clock& clock, std::uint64_t seconds)
      : clock_(clock),
        seconds_(seconds),
        end_(clock.steady_ns() + static_cast<std::int64_t>(seconds) * 1'000'000'000) {}

  [[nodiscard]] std::int64_t left_ns() const { return end_ - clock_.steady_ns(); }
  [[nodiscard]] bool over() const { return left_ns() <= 0; }
  [[nodiscard]] Error error() const {
    return Error(ErrorCode::kUnavailable,
                 fmt::format("The query was ended after {} s, since nothing that it reads can be "
                             "freed meanwhile. Ask for less, or say --seconds.",
                             seconds_));
  }
  // Throws Error{kUnavailable} when the deadline has passed.
  void check() const {
    if (over()) throw error();
  }

 private:
  const Clock& clock_;
  std::uint64_t seconds_;
  std::int64_t end_;
};

}  // namespace chirp::query
