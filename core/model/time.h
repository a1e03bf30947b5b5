// Points in time: milliseconds since 1970-01-01T00:00:00Z, UTC throughout.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace chirp {

struct Time {
  std::int64_t ms = 0;
  constexpr auto operator<=>(const Time&) const = default;
};

inline constexpr std::int64_t kSecondMs = 1000;
inline constexpr std::int64_t kMinuteMs = 60 * kSecondMs;
inline constexpr std::int64_t kHourMs = 60 * kMinuteMs;
inline constexpr std::int64_t kDayMs = 24 * kHourMs;

// `2026-01-15T18:30:00.512Z`: ISO 8601 in UTC with milliseconds. Years 0000 to 9999; what lies
// outside is clamped.
[[nodiscard]] std::string iso8601(Time time);

// Reads `2026-01-31`, `2026-01-31T10:00Z`, `2026-01-31T10:00:00[.fff…]`, with `Z`, `±hh:mm`,
// `±hhmm` or nothing (UTC) behind a time of day; a space may stand for the `T`. Empty for anything
// else, a day that does not exist included. Fractions beyond milliseconds are cut.
[[nodiscard]] std::optional<Time> parse_iso8601(std::string_view text);

// Reads a length of time: digits and one of `s m h d`, such as `30d`, in milliseconds. Empty for
// anything else, and for more than 100 years.
[[nodiscard]] std::optional<std::int64_t> parse_duration(std::string_view text);

}  // namespace chirp
