#include "cli/input/times.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <locale.h>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/notations.h"
#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";

constexpr std::pair<std::string_view, int> kZones[] = {
    {"UTC", 0},    {"UT", 0},     {"GMT", 0},    {"Z", 0},      {"z", 0},
    {"EST", -300}, {"EDT", -240}, {"CST", -360}, {"CDT", -300}, {"MST", -420},
    {"MDT", -360}, {"PST", -480}, {"PDT", -420}};

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads `+0200`, `+02:00` or `-7`. Returns minutes east of UTC.
std::optional<int> offset_in(std::string_view text) {
  if (text.size() < 2 || (text.front() != '+' && text.front() != '-')) return std::nullopt;
  std::string digits;
  for (const char c : text.substr(1)) {
    if (c == ':' && (digits.size() == 2 || digits.size() == 1)) {
      if (digits.size() == 1) digits.insert(0, 1, '0');
      continue;
    }
    if (!is_digit(c)) return std::nullopt;
    digits += c;
  }
  if (digits.size() == 1) digits.insert(0, 1, '0');
  if (digits.size() == 2) digits += "00";
  if (digits.size() != 4) return std::nullopt;
  const int hours = (digits[0] - '0') * 10 + digits[1] - '0';
  const int minutes = (digits[2] - '0') * 10 + digits[3] - '0';
  if (hours > 23 || minutes > 59) return std::nullopt;
  return (text.front() == '-' ? -1 : 1) * (hours * 60 + minutes);
}

// A time in ISO 8601, and the zone written next to it.
struct Worded {
  std::string iso;
  std::string_view zone{};
};

// Converts `Tue May 03 20:21:57 +0000 2016` to ISO 8601; the zone may be missing.
std::optional<Worded> twitter_time(std::string_view text) {
  constexpr std::size_t kMost = 6;
  std::array<std::string_view, kMost> words;
  std::size_t count = 0;
  for (text = trimmed(text); !text.empty(); ++count) {
    if (count == kMost) return std::nullopt;
    const std::size_t end = std::min(text.find(' '), text.size());
    words[count] = text.substr(0, end);
    text.remove_prefix(std::min(text.find_first_not_of(' ', end), text.size()));
  }
  if (count < kMost - 1) return std::nullopt;
  const std::string_view year = words[count - 1];
  if (words[0].size() != 3 || words[1].size() != 3 || year.size() != 4) return std::nullopt;
  const std::size_t month = kMonths.find(words[1]);
  if (month == std::string_view::npos || month % 3 != 0) return std::nullopt;
  const std::size_t number = month / 3 + 1;
  Worded time{.iso = std::string(year), .zone = count == kMost ? words[4] : std::string_view()};
  time.iso +=
      {'-', static_cast<char>('0' + number / 10), static_cast<char>('0' + number % 10), '-'};
  if (words[2].size() == 1) time.iso += '0';
  time.iso.append(words[2]).append("T").append(words[3]);
  return time;
}

bool names_zone(std::string_view word) {
  if (word.size() >= 5 && (word.front() == '+' || word.front() == '-')) return true;
  for (const char c : word) {
    if (!is_letter(c)) return false;
  }
  return !word.empty();
}

Worded worded(std::string_view text) {
  if (auto time = twitter_time(text)) return *std::move(time);
  const auto words = cells_of(text, ' ');
  if (words.size() < 2 || !names_zone(words.back())) return {.iso = std::string(text)};
  const auto size = static_cast<std::size_t>(words.back().data() - text.data());
  return {.iso = std::string(trimmed(text.substr(0, size))), .zone = words.back()};
}

bool has_zone(std::string_view iso) {
  constexpr std::size_t kDate = 10;
  return iso.size() > kDate && (iso.ends_with('Z') || iso.ends_with('z') ||
                                iso.find_first_of("+-", kDate) != std::string_view::npos);
}

locale_t english() {
  static const locale_t kEnglish = newlocale(LC_ALL_MASK, "C", nullptr);
  return kEnglish;
}

[[noreturn]] void refuse(const std::string& words) {
  throw Error(ErrorCode::kInvalidArgument, words);
}

// Checks that every `%` begins a known conversion, and that one of them includes the year.
void check_format(std::string_view format) {
  constexpr std::string_view kKnown = "aAbBcCdDeFfhHIjklmMnpRrsStTuUVwWxXyYzZ%";
  bool year = false;
  for (std::size_t at = format.find('%'); at != std::string_view::npos;
       at = format.find('%', at + 2)) {
    const char c = at + 1 < format.size() ? format[at + 1] : '\0';
    if (c == '\0' || kKnown.find(c) == std::string_view::npos) {
      refuse(fmt::format("--time-format \"{}\": \"{}\" is not a conversion of strptime or %f.",
                         printable(format, 60), printable(format.substr(at, 2))));
    }
    year = year || std::string_view("yYFDcxs").find(c) != std::string_view::npos;
  }
  if (!year) refuse(fmt::format("--time-format \"{}\" has no year (%Y).", printable(format, 60)));
}

}  // namespace

Times::Times(const std::optional<std::string>& format, const std::optional<std::string>& zones)
    : format_(format.value_or("")) {
  if (format) check_format(format_);
  if (!zones) return;
  for (const std::string_view one : cells_of(*zones, ',')) {
    const std::size_t sign = one.find('=');
    const std::string_view said = sign == std::string_view::npos ? one : one.substr(sign + 1);
    const auto minutes = zone(said);
    if (!minutes || sign == 0) {
      refuse(
          fmt::format("--time-zone takes an offset (+02:00) or a known name (UTC, EST, PDT, …), "
                      "or NAME=OFFSET, not \"{}\".",
                      printable(one, 40)));
    }
    if (sign == std::string_view::npos) {
      own_zone_ = *minutes;
    } else {
      zones_.emplace_back(one.substr(0, sign), *minutes);
    }
  }
}

std::optional<int> Times::zone(std::string_view name) const {
  if (const auto minutes = meaning_in(zones_, name)) return minutes;
  const auto minutes = meaning_in(kZones, name);
  return minutes ? minutes : offset_in(name);
}

std::optional<Time> Times::read(std::string_view text) const {
  text = trimmed(text);
  if (!format_.empty()) return by_format(std::string(text).c_str());
  std::int64_t whole = 0;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, whole);
  if (number.ec == std::errc{} && number.ptr == end) return unix_time(whole);
  if (own_zone_ == 0) {
    if (const auto time = parse_iso8601(text)) return time;  // the usual form, and fast to parse
  }
  const Worded said = worded(text);
  const auto time = parse_iso8601(said.iso);
  if (time && !(has_zone(said.iso) && said.zone.empty())) {
    const auto minutes = said.zone.empty() ? std::optional(own_zone_) : zone(said.zone);
    if (!minutes || has_zone(said.iso)) return std::nullopt;
    return Time{time->ms - *minutes * kMinuteMs};
  }
  if (time) return time;
  if (text.find('.') == std::string_view::npos) return std::nullopt;
  double value = 0;
  const auto real = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (real.ec != std::errc{} || real.ptr != end) return std::nullopt;
  return unix_time(value);
}

std::optional<Time> Times::by_format(const char* text) const {
  std::tm parts{};
  parts.tm_mday = 1;
  std::int64_t ms = 0;
  std::optional<int> minutes;
  std::optional<std::int64_t> seconds;
  constexpr std::string_view kOwn = "fZsp";
  // Handles the conversions that strptime lacks, reads in the machine's zone, or does not keep
  // between two calls.
  for (std::size_t at = 0; at < format_.size();) {
    std::size_t own = at;
    while (own < format_.size() &&
           !(format_[own] == '%' && kOwn.find(format_[own + 1]) != std::string_view::npos)) {
      own += format_[own] == '%' ? std::size_t{2} : 1;
    }
    if (own > at) {
      parts.tm_gmtoff = 0;
      const std::string some = format_.substr(at, own - at);
      text = strptime_l(text, some.c_str(), &parts, english());
      if (text == nullptr) return std::nullopt;
      if (some.find("%z") != std::string::npos) minutes = static_cast<int>(parts.tm_gmtoff / 60);
    }
    if (own >= format_.size()) break;
    const char* const begin = text;
    const char conversion = format_[own + 1];
    at = own + 2;
    if (conversion == 'Z' || conversion == 'p') {
      while (is_letter(*text)) ++text;
      if (conversion == 'p') {
        const std::string half = plain_name({begin, static_cast<std::size_t>(text - begin)});
        if (half != "am" && half != "pm") return std::nullopt;
        if (half == "pm" && parts.tm_hour < 12) parts.tm_hour += 12;
        continue;
      }
      minutes = zone({begin, static_cast<std::size_t>(text - begin)});
      if (!minutes) return std::nullopt;
      continue;
    }
    while (is_digit(*text)) ++text;
    if (text == begin || text - begin > 12) return std::nullopt;
    const std::string digits(begin, text);
    if (conversion == 's') {
      seconds = std::atoll(digits.c_str());
    } else {
      ms = std::atoll((digits + "000").substr(0, 3).c_str());
    }
  }
  if (*text != '\0') return std::nullopt;
  if (seconds) return Time{*seconds * kSecondMs + ms};
  std::tm same = parts;
  const std::int64_t time = timegm(&same);
  // Refuses dates that do not exist, such as 31 February.
  if (same.tm_mday != parts.tm_mday && parts.tm_sec < 60) return std::nullopt;
  return Time{time * kSecondMs + ms - minutes.value_or(own_zone_) * kMinuteMs};
}

std::string Times::problem(std::string_view text) const {
  const std::string shown = printable(text, 40);
  if (!format_.empty()) {
    return fmt::format("the time \"{}\" does not have the form --time-format \"{}\"", shown,
                       printable(format_, 60));
  }
  const Worded said = worded(trimmed(text));
  if (!said.zone.empty() && !zone(said.zone) && parse_iso8601(said.iso)) {
    const std::string name = printable(said.zone, 20);
    return fmt::format(
        "the time \"{}\" has the unknown time zone {}: give its offset from UTC, as in --time-zone "
        "{}=-03:30",
        shown, name, name);
  }
  return fmt::format("\"{}\" is not a time in a known format (ISO 8601, Unix time)", shown);
}

std::optional<Time> parse_when(std::string_view text) { return Times().read(text); }

}  // namespace chirp::cli::input
