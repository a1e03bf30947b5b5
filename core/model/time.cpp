#include "core/model/time.h"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace chirp {
namespace {

constexpr std::int64_t kYearZeroMs = -62'167'219'200'000;     // 0000-01-01T00:00:00.000Z
constexpr std::int64_t kYear9999Ms = 253'402'300'799'999;     // 9999-12-31T23:59:59.999Z
constexpr std::int64_t kLongestDurationMs = 36'525 * kDayMs;  // 100 years

// Takes digits off the front of a text, a field at a time.
class Digits {
 public:
  explicit Digits(std::string_view text) : rest_(text) {}

  std::optional<int> fixed(std::size_t width) {
    if (rest_.size() < width) return std::nullopt;
    int value = 0;
    for (const char c : rest_.substr(0, width)) {
      if (c < '0' || c > '9') return std::nullopt;
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(width);
    return value;
  }
  bool skip(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Parses the digits after a decimal point as milliseconds.
  std::optional<int> fraction_ms() {
    int value = 0;
    std::size_t n = 0;
    for (; n < rest_.size() && rest_[n] >= '0' && rest_[n] <= '9'; ++n) {
      if (n < 3) value = value * 10 + (rest_[n] - '0');
    }
    if (n == 0) return std::nullopt;
    for (std::size_t i = n; i < 3; ++i) value *= 10;
    rest_.remove_prefix(n);
    return value;
  }
  [[nodiscard]] bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

// Minutes to subtract from a local time to get UTC.
std::optional<int> parse_zone(Digits& text) {
  if (text.done() || text.skip('Z') || text.skip('z')) return 0;
  int sign = 1;
  if (text.skip('-')) {
    sign = -1;
  } else if (!text.skip('+')) {
    return std::nullopt;
  }
  const auto hours = text.fixed(2);
  text.skip(':');
  const auto minutes = text.fixed(2);
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  return sign * (*hours * 60 + *minutes);
}

// Pages have many times, and a general formatter is several times slower.
void put_digits(std::string& text, std::size_t at, std::size_t count, std::int64_t value) {
  for (std::size_t i = at + count; i-- > at; value /= 10) {
    text[i] = static_cast<char>('0' + value % 10);
  }
}

}  // namespace

std::string iso8601(Time time) {
  using namespace std::chrono;
  const milliseconds since{std::clamp(time.ms, kYearZeroMs, kYear9999Ms)};
  const auto day = floor<days>(since);
  const year_month_day date{sys_days{day}};
  const hh_mm_ss clock{since - day};
  std::string text = "0000-00-00T00:00:00.000Z";
  put_digits(text, 0, 4, static_cast<int>(date.year()));
  put_digits(text, 5, 2, static_cast<unsigned>(date.month()));
  put_digits(text, 8, 2, static_cast<unsigned>(date.day()));
  put_digits(text, 11, 2, clock.hours().count());
  put_digits(text, 14, 2, clock.minutes().count());
  put_digits(text, 17, 2, clock.seconds().count());
  put_digits(text, 20, 3, clock.subseconds().count());
  return text;
}

std::optional<Time> parse_iso8601(std::string_view text) {
  using namespace std::chrono;
  Digits digits(text);
  const auto y = digits.fixed(4);
  if (!y || !digits.skip('-')) return std::nullopt;
  const auto m = digits.fixed(2);
  if (!m || !digits.skip('-')) return std::nullopt;
  const auto d = digits.fixed(2);
  if (!d) return std::nullopt;
  const year_month_day date{year{*y}, month{static_cast<unsigned>(*m)},
                            day{static_cast<unsigned>(*d)}};
  if (!date.ok()) return std::nullopt;
  std::int64_t ms = duration_cast<milliseconds>(sys_days{date}.time_since_epoch()).count();
  if (digits.done()) return Time{ms};

  if (!digits.skip('T') && !digits.skip('t') && !digits.skip(' ')) return std::nullopt;
  const auto hour = digits.fixed(2);
  if (!hour || *hour > 23 || !digits.skip(':')) return std::nullopt;
  const auto minute = digits.fixed(2);
  if (!minute || *minute > 59) return std::nullopt;
  ms += *hour * kHourMs + *minute * kMinuteMs;
  if (digits.skip(':')) {
    const auto second = digits.fixed(2);
    // 60 is a leap second, treated as the first second of the next minute.
    if (!second || *second > 60) return std::nullopt;
    ms += *second * kSecondMs;
    if (digits.skip('.')) {
      const auto fraction = digits.fraction_ms();
      if (!fraction) return std::nullopt;
      ms += *fraction;
    }
  }
  const auto zone = parse_zone(digits);
  if (!zone || !digits.done()) return std::nullopt;
  return Time{ms - *zone * kMinuteMs};
}

std::optional<std::int64_t> parse_duration(std::string_view text) {
  if (text.size() < 2) return std::nullopt;
  std::int64_t count = 0;
  const char* const end = text.data() + text.size() - 1;
  const auto [stop, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc{} || stop != end || count < 0) return std::nullopt;
  std::int64_t unit = 0;
  switch (text.back()) {
    case 's':
      unit = kSecondMs;
      break;
    case 'm':
      unit = kMinuteMs;
      break;
    case 'h':
      unit = kHourMs;
      break;
    case 'd':
      unit = kDayMs;
      break;
    default:
      return std::nullopt;
  }
  if (count > kLongestDurationMs / unit) return std::nullopt;
  return count * unit;
}

}  // namespace chirp
