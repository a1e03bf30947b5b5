#include "server/charts/axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace chirp::charts {
namespace {

constexpr double kLinesWanted = 5;
constexpr int kDecadesEach = 12;  // beyond it only every second decade has a line, and so on

// Returns 1, 2 or 5 times a power of ten: the smallest that is not less than `step`.
double round_up(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (step <= times * power * 1.000'001) return times * power;
  }
  return 10 * power;
}

}  // namespace

Range::Range(Scale scale, const std::vector<double>& values) : scale_(scale) {
  bool any = false;
  double least = 0;
  double most = 0;
  for (const double value : values) {
    if (!std::isfinite(value) || (scale == Scale::kLogarithmic && value <= 0)) continue;
    least = any ? std::min(least, value) : value;
    most = any ? std::max(most, value) : value;
    any = true;
  }
  if (scale == Scale::kLinear) {
    span_linear(std::min(least, 0.0), any ? most : 1);
  } else {
    span_decades(any ? least : 1, any ? most : 10);
  }
}

void Range::span_linear(double least, double most) {
  const double length = most > least ? most - least : 1;
  const double step = round_up(length / kLinesWanted);
  const double first = std::floor(least / step);
  const double last = std::max(std::ceil(most / step - 0.000'001), first + 1);
  for (double n = first; n <= last; ++n) ticks_.push_back(n * step);
  from_ = ticks_.front();
  to_ = ticks_.back();
}

void Range::span_decades(double least, double most) {
  const int first = static_cast<int>(std::floor(std::log10(least) + 0.000'001));
  int last = static_cast<int>(std::ceil(std::log10(most) - 0.000'001));
  last = std::max(last, first + 1);
  const int step = (last - first) / kDecadesEach + 1;
  for (int decade = first; decade <= last; decade += step) ticks_.push_back(std::pow(10, decade));
  from_ = std::pow(10, first);
  to_ = std::pow(10, last);
}

bool Range::shows(double value) const {
  return std::isfinite(value) && (scale_ == Scale::kLinear || value > 0);
}

double Range::place(double value) const {
  if (scale_ == Scale::kLinear) return (value - from_) / (to_ - from_);
  return (std::log10(value) - std::log10(from_)) / (std::log10(to_) - std::log10(from_));
}

std::string tick_text(double value) {
  static constexpr std::array<std::pair<double, const char*>, 4> kUnits{
      {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " K"}}};
  for (const auto& [unit, name] : kUnits) {
    if (std::abs(value) >= unit) return fmt::format("{:.4g}{}", value / unit, name);
  }
  return fmt::format("{:.4g}", value);
}

}  // namespace chirp::charts
