#include "core/model/byte_count.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include <fmt/format.h>

namespace chirp {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{std::numeric_limits<std::int64_t>::max()};

struct ByteUnit {
  char letter;  // either case
  std::string_view name;
  unsigned shift;
};
constexpr std::array kUnits{ByteUnit{'T', "TiB", 40}, ByteUnit{'G', "GiB", 30},
                            ByteUnit{'M', "MiB", 20}, ByteUnit{'K', "KiB", 10}};

// The number of bits that a unit (`M`, `MB` or `MiB`) shifts by. Empty for an unknown unit.
std::optional<unsigned> shift_of(std::string_view unit) {
  for (const ByteUnit& known : kUnits) {
    if (unit.front() != known.letter && unit.front() != known.letter - 'A' + 'a') continue;
    const std::string_view rest = unit.substr(1);
    if (rest.empty() || rest == "B" || rest == "iB") return known.shift;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> parse_byte_count(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc{} || number > kMost) return std::nullopt;
  const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  if (unit.empty() || unit == "B") return number;
  const auto shift = shift_of(unit);
  if (!shift || number > kMost >> *shift) return std::nullopt;
  return number << *shift;
}

std::string byte_count(std::uint64_t bytes) {
  for (const ByteUnit& unit : kUnits) {
    const std::uint64_t one = std::uint64_t{1} << unit.shift;
    if (bytes < one) continue;
    const std::uint64_t tenth = bytes % one * 10 >> unit.shift;
    return tenth == 0 ? fmt::format("{} {}", bytes >> unit.shift, unit.name)
                      : fmt::format("{}.{} {}", bytes >> unit.shift, tenth, unit.name);
  }
  return bytes == 1 ? "1 byte" : fmt::format("{} bytes", bytes);
}

}  // namespace chirp
