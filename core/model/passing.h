// How much time has surely passed, even if the clock is wrong for a moment.
//
// Old rows are deleted for good, so one reading of a clock that is years ahead must not decide it.
// After a leap of the clock, the new time is accepted only once the clock has stayed there for an
// hour.
#pragma once

#include "core/model/time.h"

namespace chirp {

struct TrustedTime {
  static constexpr std::int64_t kLeapMs = kDayMs;       // a step of more than this is a leap
  static constexpr std::int64_t kBelievedMs = kHourMs;  // a leap is accepted after this time

  Time until{};  // the last accepted time; 0 before the first reading
  Time leap{};   // when the current leap was first seen; 0: no leap

  // Records a reading of the clock.
  constexpr void see(Time now) {
    const bool is_first = until == Time{};
    const bool is_near = now.ms - until.ms <= kLeapMs;
    const bool has_stood = leap != Time{} && now.ms - leap.ms >= kBelievedMs;
    if (is_first || is_near || has_stood) {
      until = now;
      leap = Time{};
    } else if (leap == Time{} || now < leap) {
      leap = now;
    }
  }

  // The time that decides what is too old: `now`, unless the clock has leapt.
  [[nodiscard]] constexpr Time at(Time now) const {
    return until == Time{} || now.ms - until.ms <= kLeapMs ? now : until;
  }

  // Whether `moment`, the time of a past event, came from a clock that was ahead and has gone back
  // since.
  [[nodiscard]] constexpr bool was_ahead(Time moment) const {
    return leap == Time{} && until != Time{} && moment.ms - until.ms > kLeapMs;
  }

  bool operator==(const TrustedTime&) const = default;
};

}  // namespace chirp
