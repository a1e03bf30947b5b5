#include "server/charts/chart.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace chirp::charts {
namespace {

// In units of the drawing, which scales with its container.
constexpr double kWidth = 760;
constexpr double kLeft = 84;
constexpr double kRight = 740;
constexpr double kTitle = 24;
constexpr double kLegend = 48;
constexpr double kLegendLine = 20;
constexpr double kPlotHeight = 280;
constexpr double kBelowPlot = 60;
constexpr double kLetter = 7.2;  // approximate width of a character in the legend
constexpr double kSwatch = 34;
constexpr std::size_t kColours = 8;

using Out = std::back_insert_iterator<std::string>;

// Where names are placed above the plot, on as many lines as they need.
struct LabelPosition {
  double x = 0;
  double y = 0;
};

// Counts characters: UTF-8 continuation bytes do not count.
double letters(std::string_view text) {
  return static_cast<double>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::vector<LabelPosition> legend_places(const Chart& chart) {
  std::vector<LabelPosition> places;
  LabelPosition next{kLeft, kLegend};
  for (const Series& series : chart.series) {
    const double width = kSwatch + kLetter * letters(series.name) + 18;
    if (next.x + width > kRight && next.x > kLeft) next = {kLeft, next.y + kLegendLine};
    places.push_back(next);
    next.x += width;
  }
  return places;
}

class Drawing {
 public:
  explicit Drawing(const Chart& chart)
      : chart_(chart),
        x_(chart.x.scale, values(chart, &Point::x)),
        y_(chart.y.scale, values(chart, &Point::y)),
        legend_(legend_places(chart)),
        top_((legend_.empty() ? kLegend : legend_.back().y) + kLegendLine) {}

  [[nodiscard]] std::string draw() {
    fmt::format_to(out(),
                   "<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\">"
                   "<title>{}</title>\n",
                   kWidth, bottom() + kBelowPlot, escaped(chart_.title));
    fmt::format_to(out(), "<text class=\"title\" x=\"{}\" y=\"{}\">{}</text>\n", kLeft, kTitle,
                   escaped(chart_.title));
    draw_axes();
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      draw_series(chart_.series[i], i % kColours);
      draw_name(chart_.series[i], i % kColours, legend_[i]);
    }
    text_ += "</svg>\n";
    return std::move(text_);
  }

 private:
  static std::vector<double> values(const Chart& chart, double Point::*coordinate) {
    std::vector<double> all;
    for (const Series& series : chart.series) {
      for (const Point& point : series.points) all.push_back(point.*coordinate);
    }
    return all;
  }

  Out out() { return std::back_inserter(text_); }
  [[nodiscard]] double bottom() const { return top_ + kPlotHeight; }
  [[nodiscard]] double x_of(double value) const {
    return kLeft + (kRight - kLeft) * x_.place(value);
  }
  [[nodiscard]] double y_of(double value) const { return bottom() - kPlotHeight * y_.place(value); }

  void draw_axes() {
    for (const double tick : x_.ticks()) {
      const double x = x_of(tick);
      fmt::format_to(out(),
                     "<line class=\"grid\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" "
                     "y2=\"{2:.1f}\"/><text class=\"tick\" x=\"{0:.1f}\" y=\"{3:.1f}\" "
                     "text-anchor=\"middle\">{4}</text>\n",
                     x, top_, bottom(), bottom() + 18, tick_text(tick));
    }
    for (const double tick : y_.ticks()) {
      const double y = y_of(tick);
      fmt::format_to(
          out(),
          "<line class=\"grid\" x1=\"{0}\" y1=\"{1:.1f}\" x2=\"{2}\" y2=\"{1:.1f}\"/>"
          "<text class=\"tick\" x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
          kLeft, y, kRight, kLeft - 8, y + 4, tick_text(tick));
    }
    fmt::format_to(out(),
                   "<path class=\"axis\" d=\"M{0} {1:.1f}V{2:.1f}H{3}\"/>\n"
                   "<text class=\"label\" x=\"{4:.1f}\" y=\"{5:.1f}\" "
                   "text-anchor=\"middle\">{6}</text>\n",
                   kLeft, top_, bottom(), kRight, (kLeft + kRight) / 2, bottom() + 44,
                   escaped(chart_.x.title));
    fmt::format_to(out(),
                   "<text class=\"label\" transform=\"translate(20 {:.1f}) rotate(-90)\" "
                   "text-anchor=\"middle\">{}</text>\n",
                   (top_ + bottom()) / 2, escaped(chart_.y.title));
  }

  static const char* class_of(Stroke stroke) {
    switch (stroke) {
      case Stroke::kLine:
        return "line";
      case Stroke::kDashes:
        return "line dashes";
      case Stroke::kDots:
        break;
    }
    return "none";
  }

  void draw_series(const Series& series, std::size_t colour) {
    std::string path;
    std::string dots;
    for (const Point& point : series.points) {
      if (!x_.shows(point.x) || !y_.shows(point.y)) continue;
      fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", path.empty() ? "M" : "L",
                     x_of(point.x), y_of(point.y));
      if (series.stroke == Stroke::kDashes) continue;
      append_mark(dots, colour, {x_of(point.x), y_of(point.y)});
    }
    if (path.empty()) return;
    fmt::format_to(out(), "<g class=\"s{}\"><path class=\"{}\" d=\"{}\"/>{}</g>\n", colour,
                   class_of(series.stroke), path, dots);
  }

  // Four shapes, so that neighbouring lines differ on paper.
  static void append_mark(std::string& text, std::size_t colour, LabelPosition at) {
    const auto to = std::back_inserter(text);
    switch (colour % 4) {
      case 0:
        fmt::format_to(to, "<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>", at.x,
                       at.y);
        return;
      case 1:
        fmt::format_to(to, "<path class=\"dot\" d=\"M{:.1f} {:.1f}h6v6h-6z\"/>", at.x - 3,
                       at.y - 3);
        return;
      case 2:
        fmt::format_to(to, "<path class=\"dot\" d=\"M{:.1f} {:.1f}l4 7h-8z\"/>", at.x, at.y - 4);
        return;
      default:
        fmt::format_to(to, "<path class=\"dot\" d=\"M{:.1f} {:.1f}l4 4l-4 4l-4 -4z\"/>", at.x,
                       at.y - 4);
    }
  }

  void draw_name(const Series& series, std::size_t colour, LabelPosition at) {
    std::string mark;
    if (series.stroke != Stroke::kDashes) append_mark(mark, colour, {at.x + 14, at.y - 4});
    fmt::format_to(out(),
                   "<g class=\"s{0}\"><path class=\"{1}\" d=\"M{2:.1f} {3:.1f}h28\"/>{4}</g>"
                   "<text class=\"name\" x=\"{5:.1f}\" y=\"{6:.1f}\">{7}</text>\n",
                   colour, class_of(series.stroke), at.x, at.y - 4, mark, at.x + kSwatch, at.y,
                   escaped(series.name));
  }

  const Chart& chart_;
  Range x_;
  Range y_;
  std::vector<LabelPosition> legend_;
  double top_;
  std::string text_;
};

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string svg(const Chart& chart) { return Drawing(chart).draw(); }

std::string figure(const Chart& chart) {
  std::string text = "<figure>\n" + svg(chart) + "<figcaption>";
  for (const std::string& sentence : chart.sentences) text += escaped(sentence) + ' ';
  text.back() = '<';
  return text + "/figcaption>\n</figure>\n";
}

std::string_view style() {
  return R"(:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --grid: #d5d9de;
  --s0: #0b62a4; --s1: #b3470d; --s2: #26762f; --s3: #7a3aa8; --s4: #a8174e; --s5: #00707a;
  --s6: #7d6200; --s7: #4b5563; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171b; --ink: #e8eaed; --grid: #3a4048; --s0: #6cb6ff; --s1: #ffa36b;
    --s2: #7ddc86; --s3: #cfa6ff; --s4: #ff8fb3; --s5: #5fd7e0; --s6: #e3c65b; --s7: #b6bec9; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #000; --grid: #ccc; --s0: #0b62a4;
    --s1: #b3470d; --s2: #26762f; --s3: #7a3aa8; --s4: #a8174e; --s5: #00707a; --s6: #7d6200;
    --s7: #4b5563; }
  figure { break-inside: avoid; }
}
figure { margin: 2rem 0; }
figcaption { max-width: 44rem; }
.chart { display: block; width: 100%; max-width: 60rem; height: auto; }
.chart text { fill: var(--ink); font: 12px system-ui, sans-serif; }
.chart .title { font-size: 16px; font-weight: 600; }
.chart .grid { stroke: var(--grid); }
.chart .axis { fill: none; stroke: var(--ink); }
.chart .line { fill: none; stroke: currentColor; stroke-width: 2; }
.chart .dashes { stroke-dasharray: 6 4; }
.chart .none { fill: none; stroke: none; }
.chart .dot { fill: currentColor; }
.s0 { color: var(--s0); } .s1 { color: var(--s1); } .s2 { color: var(--s2); }
.s3 { color: var(--s3); } .s4 { color: var(--s4); } .s5 { color: var(--s5); }
.s6 { color: var(--s6); } .s7 { color: var(--s7); }
)";
}

}  // namespace chirp::charts
