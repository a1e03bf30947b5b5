// An axis of a chart: its range, its grid lines and their labels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace chirp::charts {

enum class Scale : std::uint8_t { kLinear, kLogarithmic };

// The range that an axis shows. Without any value that it can show: 0 to 1, or 1 to 10 if
// logarithmic.
class Range {
 public:
  // A linear axis begins at 0, or at the smallest value if that is negative. A logarithmic one
  // begins and ends at powers of ten, and skips values that are not above 0.
  Range(Scale scale, const std::vector<double>& values);

  [[nodiscard]] double from() const { return from_; }
  [[nodiscard]] double to() const { return to_; }
  // Whether the axis can show this value.
  [[nodiscard]] bool shows(double value) const;
  // Returns the position of a value, from 0 at the start to 1 at the end.
  [[nodiscard]] double place(double value) const;
  // The values of the grid lines, ascending: 3 to 12 round numbers.
  [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }

 private:
  void span_linear(double least, double most);
  void span_decades(double least, double most);

  Scale scale_;
  double from_ = 0;
  double to_ = 1;
  std::vector<double> ticks_;
};

// Returns a label: "0.25", "900", "25 K", "1.5 M".
[[nodiscard]] std::string tick_text(double value);

}  // namespace chirp::charts
