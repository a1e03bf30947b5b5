// Goal: charts show values where they belong, with all that a reader needs to read them, and fetch
// nothing from anywhere.
// Method: axes and points whose places are worked out by hand, and the texts of a small chart.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "server/charts/chart.h"

namespace chirp::test {
namespace {

using charts::Range;
using charts::Scale;
using Values = std::vector<double>;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

charts::Chart small() {
  charts::Chart chart;
  chart.title = "Cost <of> a page";
  chart.x = {"followers", Scale::kLogarithmic};
  chart.y = {"processor time (us)", Scale::kLinear};
  chart.series = {{"push & pull", charts::Stroke::kLine, {{1, 0}, {10, 50}, {100, 100}}},
                  {"rule", charts::Stroke::kDashes, {{0, 10}, {100, 20}}}};
  chart.sentences = {"One.", "Two.", "Three \"3\"."};
  return chart;
}

}  // namespace

TEST_CASE("charts: a linear axis begins at 0 and has round numbers") {
  const Range range(Scale::kLinear, {3, 42, 7});
  CHECK(range.ticks() == Values{0, 10, 20, 30, 40, 50});
  CHECK(range.from() == 0);
  CHECK(range.to() == 50);
  CHECK(range.place(0) == 0);
  CHECK(range.place(25) == doctest::Approx(0.5));
  CHECK(Range(Scale::kLinear, {-3, 4}).from() == -4);
  CHECK(Range(Scale::kLinear, {100}).to() == 100);
  for (const Values& nothing : {Values{}, Values{0}, Values{std::nan("")}}) {
    const Range empty(Scale::kLinear, nothing);
    CHECK(empty.from() == 0);
    CHECK(empty.to() > 0);
  }
}

TEST_CASE("charts: a logarithmic axis goes from a power of ten to another") {
  const Range range(Scale::kLogarithmic, {0, 3, 4'000, -1});
  CHECK(range.from() == doctest::Approx(1));
  CHECK(range.to() == doctest::Approx(10'000));
  CHECK(range.ticks().size() == 5);
  CHECK(range.place(100) == doctest::Approx(0.5));
  CHECK(range.shows(0.001));
  CHECK_FALSE(range.shows(0));
  const Range one(Scale::kLogarithmic, {1'000});
  CHECK(one.from() == doctest::Approx(1'000));
  CHECK(one.to() == doctest::Approx(10'000));
  CHECK(Range(Scale::kLogarithmic, {}).ticks().size() == 2);
}

TEST_CASE("charts: numbers of an axis are short") {
  CHECK(charts::tick_text(0) == "0");
  CHECK(charts::tick_text(0.25) == "0.25");
  CHECK(charts::tick_text(900) == "900");
  CHECK(charts::tick_text(25'000) == "25 K");
  CHECK(charts::tick_text(1'500'000) == "1.5 M");
}

TEST_CASE("charts: title, axes, units, names and sentences stand there, escaped") {
  const std::string text = charts::figure(small());
  for (const char* part : {"Cost &lt;of&gt; a page</title>", ">followers</text>",
                           ">processor time (us)</text>", ">push &amp; pull</text>", ">rule</text>",
                           "<figcaption>One. Two. Three &quot;3&quot;.</figcaption>"}) {
    CHECK_MESSAGE(has(text, part), part);
  }
  CHECK_FALSE(has(text, "http"));
  CHECK_FALSE(has(text, "url("));
  CHECK_FALSE(has(std::string(charts::style()), "url("));
}

TEST_CASE("charts: points stand at their places, and what has none is left out") {
  const std::string text = charts::svg(small());
  // The plot goes from 84 to 740 and, below one line of names, from 68 down to 348.
  CHECK_MESSAGE(has(text, "d=\"M84.0 348.0L412.0 208.0L740.0 68.0\""), text);
  // The point at 0 followers has no place; the other one is alone.
  CHECK_MESSAGE(has(text, "d=\"M740.0 292.0\""), text);
}

TEST_CASE("charts: names take as many lines as they need, and the plot begins below them") {
  charts::Chart chart = small();
  chart.series.assign(8, {"a name that is long, and takes its room", charts::Stroke::kLine, {}});
  const std::string text = charts::svg(chart);
  CHECK(has(text, "x=\"118.0\" y=\"48.0\""));
  CHECK(has(text, "x=\"118.0\" y=\"68.0\""));
  CHECK_MESSAGE(has(text, "<g class=\"s7\">"), text);
}

}  // namespace chirp::test
