// Draws charts as SVG, for the server and the command line. Each has a title, two axes with units,
// lines that differ without colours too, and three sentences that summarize it.
//
// The page sets the colours: `style()` has them for light, dark and paper. Nothing is fetched.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/charts/axis.h"

namespace chirp::charts {

struct Axis {
  std::string title;  // with the unit
  Scale scale = Scale::kLinear;
};

struct Point {
  double x = 0;
  double y = 0;
};

enum class Stroke : std::uint8_t { kLine, kDashes, kDots };  // kDots: points without a line

struct Series {
  std::string name;
  Stroke stroke = Stroke::kLine;
  std::vector<Point> points;  // in the order in which the line joins them
};

struct Chart {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;  // the first eight have their own colours
  std::array<std::string, 3> sentences;
};

// Leaves out points that the chart can't show, such as 0 on a logarithmic axis; the line continues
// at the next point. Texts are escaped.
[[nodiscard]] std::string svg(const Chart& chart);
// Returns the chart as an HTML figure, with the sentences below it.
[[nodiscard]] std::string figure(const Chart& chart);
// Returns the CSS of figures, and the colours that pages use around them (`--paper`, `--ink`,
// `--grid`).
[[nodiscard]] std::string_view style();
// Escapes text for HTML and SVG, for elements and attributes.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace chirp::charts
