// An axis of a chart: from where to where it goes, where its lines stand, and what is written
// there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace chirp::charts {

enum class Scale : std::uint8_t { kLinear, kLogarithmic };

// What an axis shows of some values. Of no values, and of none that it can show: from 0 to 1, or
// from 1 to 10.
class Range {
 public:
  // A linear axis begins at 0, or at the least value if that is below. A logarithmic one goes from
  // a power of ten to another, and passes over what is not above 0.
  Range(Scale scale, const std::vector<double>& values);

  [[nodiscard]] double from() const { return from_; }
  [[nodiscard]] double to() const { return to_; }
  // Whether a value has a place.
  [[nodiscard]] bool shows(double value) const;
  // The place of a value, 0 at the beginning to 1 at the end.
  [[nodiscard]] double place(double value) const;
  // Where lines stand, ascending: 3 to 12 round numbers.
  [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }

 private:
  void span_linear(double least, double most);
  void span_decades(double least, double most);

  Scale scale_;
  double from_ = 0;
  double to_ = 1;
  std::vector<double> ticks_;
};

// "0.25", "900", "25 K", "1.5 M".
[[nodiscard]] std::string tick_text(double value);

}  // namespace chirp::charts
