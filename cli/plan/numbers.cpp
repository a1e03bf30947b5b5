#include "cli/plan/numbers.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "cli/output.h"

namespace chirp::cli::plan {
namespace {

constexpr double kThousand = 1000;
constexpr double kWholeMax = 1e18;
constexpr std::array<std::string_view, 4> kNumbers{"", " K", " M", " bn"};
constexpr std::array<std::string_view, 7> kBytes{" B", " KB", " MB", " GB", " TB", " PB", " EB"};

std::span<const std::string_view> units_of(Unit unit) {
  if (unit == Unit::kBytes) return kBytes;
  return kNumbers;
}

// Formats this many significant digits for a number below a thousand; beyond the largest unit, all
// digits before the point.
std::string scaled(double value, int digits, std::span<const std::string_view> units) {
  std::size_t unit = 0;
  // A number that would be rounded to 1000 gets the next unit.
  const double limit = kThousand - 0.5 * std::pow(10, 3 - digits);
  while (value >= limit && unit + 1 < units.size()) {
    value /= kThousand;
    ++unit;
  }
  if (value >= limit) return fmt::format("{:.0f}{}", value, units[unit]);
  return fmt::format("{:.{}g}{}", value, digits, units[unit]);
}

}  // namespace

std::string exact_text(double value, Unit unit) {
  if (unit == Unit::kBytes) return scaled(value, 4, kBytes);
  const double whole = std::round(value);
  if (whole < kThousand || whole > kWholeMax) return scaled(value, 4, kNumbers);
  return grouped(static_cast<std::uint64_t>(whole));
}

std::string short_text(double value, Unit unit) { return scaled(value, 3, units_of(unit)); }

std::string percent_text(double percent) {
  if (std::abs(percent) < 0.05) return "0 %";
  return fmt::format("{:+.1f} %", percent);
}

}  // namespace chirp::cli::plan
