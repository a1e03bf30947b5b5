// Charts as SVG, drawn here once for all that shows any: each with a title, two axes with their
// units, lines that are told apart without colours too, and three sentences of what it says.
//
// Colours are left to the page: `style()` has them for light and dark, and for paper. Nothing is
// fetched from anywhere.
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
  std::vector<Point> points;  // in the order in which a line joins them
};

struct Chart {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;  // eight at most have colours of their own
  std::array<std::string, 3> sentences;
};

// What a chart can't show, a point at 0 on a logarithmic axis, is left out, and the line goes on
// behind it. Texts are escaped.
[[nodiscard]] std::string svg(const Chart& chart);
// The same as a figure of HTML, with the sentences below it.
[[nodiscard]] std::string figure(const Chart& chart);
// CSS of figures, and the colours that pages use around them (`--paper`, `--ink`, `--grid`).
[[nodiscard]] std::string_view style();
// Text for HTML and SVG, in elements and in attributes.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace chirp::charts
