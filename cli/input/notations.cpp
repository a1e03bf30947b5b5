#include "cli/input/notations.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "cli/input/cells.h"
#include "core/load/source.h"
#include "core/model/utf8.h"

namespace chirp::cli::input {
namespace {

constexpr std::int64_t kSecondsEnd = 100'000'000'000;  // the year 5138
constexpr double kLargestExact = 9'007'199'254'740'992.0;

template <class Number>
std::optional<Number> whole(std::string_view text, int base = 10) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

// The character for the inside of an escape (`amp`, `#39`).
std::optional<std::uint32_t> escaped_point(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, std::uint32_t>, 6> kNamed{
      {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}, {"nbsp", 0xA0}}};
  if (const auto point = meaning_in(kNamed, name)) return point;
  if (!name.starts_with('#')) return std::nullopt;
  name.remove_prefix(1);
  const bool hex = name.starts_with('x') || name.starts_with('X');
  const auto point = whole<std::uint32_t>(name.substr(hex ? 1 : 0), hex ? 16 : 10);
  const bool surrogate = point && *point >= 0xD800 && *point <= 0xDFFF;
  if (!point || *point == 0 || *point > 0x10FFFF || surrogate) return std::nullopt;
  return point;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::optional<SourceId> parse_source_id(std::string_view text) {
  text = trimmed(text);
  std::uint64_t most = load::kSourceIdMax;
  if (const std::size_t point = text.find('.'); point != std::string_view::npos) {
    const std::string_view fraction = text.substr(point + 1);
    if (fraction.empty() || fraction.find_first_not_of('0') != std::string_view::npos) {
      return std::nullopt;
    }
    text = text.substr(0, point);
    most = static_cast<std::uint64_t>(kLargestExact);
  }
  const auto value = whole<std::uint64_t>(text);
  if (!value || *value > most || (text.size() > 1 && text.front() == '0')) return std::nullopt;
  return SourceId{*value};
}

std::optional<SourceId> source_id(double value) {
  if (!(value >= 0 && value <= kLargestExact) || std::floor(value) != value) return std::nullopt;
  return SourceId{static_cast<std::uint64_t>(value)};
}

bool says_nothing(std::string_view cell) {
  static constexpr std::array<std::string_view, 6> kWords{"", "nan", "null", "none", "<na>", "\\n"};
  const std::string small = utf8::ascii_lower(trimmed(cell).substr(0, 5));
  return std::ranges::find(kWords, small) != kWords.end();
}

Time unix_time(std::int64_t value) {
  const bool seconds = value > -kSecondsEnd && value < kSecondsEnd;
  return Time{seconds ? value * kSecondMs : value};
}

std::optional<Time> unix_time(double value) {
  if (!std::isfinite(value) || std::fabs(value) > kLargestExact) return std::nullopt;
  const bool seconds = std::fabs(value) < static_cast<double>(kSecondsEnd);
  return Time{static_cast<std::int64_t>(std::floor(seconds ? value * kSecondMs : value))};
}

std::string html_unescaped(std::string_view text) {
  constexpr std::size_t kLongest = 10;  // of an escape, including & and ;
  std::string out;
  out.reserve(text.size());
  for (;;) {
    const std::size_t at = text.find('&');
    out.append(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at);
    const std::size_t end = text.substr(0, kLongest).find(';');
    const auto point =
        end == std::string_view::npos ? std::nullopt : escaped_point(text.substr(1, end - 1));
    if (point) {
      utf8::append(out, *point);
      text.remove_prefix(end + 1);
    } else {
      out.push_back('&');
      text.remove_prefix(1);
    }
  }
}

}  // namespace chirp::cli::input
