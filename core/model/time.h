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

// `2026-01-15T18:30:00.512Z`: ISO 8601 in UTC with milliseconds. Years 0000 to 9999; other times
// are clamped.
[[nodiscard]] std::string iso8601(Time time);

// Parses `2026-01-31`, `2026-01-31T10:00Z` or `2026-01-31T10:00:00[.fff…]`. A time of day may end
// with `Z`, `±hh:mm` or `±hhmm` (default: UTC); a space may replace the `T`. Empty for anything
// else, including days that do not exist. Fractions beyond milliseconds are cut.
[[nodiscard]] std::optional<Time> parse_iso8601(std::string_view text);

// Parses a duration in milliseconds: digits and one of `s m h d`, such as `30d`. Empty for anything
// else, and for more than 100 years.
[[nodiscard]] std::optional<std::int64_t> parse_duration(std::string_view text);

}  // namespace chirp
