// How far time has surely passed, whatever the clock says for a moment.
//
// What is forgotten for its age is gone for good, so one look at a clock that is years ahead must
// not decide it. A clock that has leapt is believed once it has stood there for an hour.
#pragma once

#include "core/model/time.h"

namespace chirp {

struct PassedTime {
  static constexpr std::int64_t kLeapMs = kDayMs;       // further ahead than this is a leap
  static constexpr std::int64_t kBelievedMs = kHourMs;  // after so long it is the time

  Time until{};  // as far as the clock is believed; 0 before the first look
  Time leap{};   // when it was first seen to be further ahead than that; 0 if it is not

  // Takes in what the clock says.
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

  // The time to forget by: `now`, unless the clock has leapt.
  [[nodiscard]] constexpr Time at(Time now) const {
    return until == Time{} || now.ms - until.ms <= kLeapMs ? now : until;
  }

  // Whether `moment`, of something that has happened, was taken from a clock that was ahead and has
  // gone back since.
  [[nodiscard]] constexpr bool was_ahead(Time moment) const {
    return leap == Time{} && until != Time{} && moment.ms - until.ms > kLeapMs;
  }

  bool operator==(const PassedTime&) const = default;
};

}  // namespace chirp
