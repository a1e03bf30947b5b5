#include "cli/lab/report.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "cli/lab/print.h"
#include "core/model/timeline.h"

namespace chirp::cli::lab {
namespace {

constexpr std::string_view kStyle = R"(
body { margin: 2rem auto; max-width: 64rem; padding: 0 1rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
p { max-width: 44rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.6rem; border-bottom: 1px solid var(--grid); text-align: right; }
th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left; }
tr.best { font-weight: 600; }
)";

void append_sentences(std::string& text, const std::vector<std::string>& sentences) {
  for (const std::string& each : sentences) text += "<p>" + charts::escaped(each) + "</p>\n";
}

void append_row(std::string& text, const char* cell, const std::vector<std::string>& cells) {
  for (const std::string& each : cells) {
    text += fmt::format("<{0}>{1}</{0}>", cell, charts::escaped(each));
  }
  text += "</tr>\n";
}

void append_table(std::string& text, const Findings& findings) {
  text += "<div class=\"wide\"><table>\n<thead><tr>";
  append_row(text, "th", titles());
  text += "</thead>\n<tbody>\n";
  for (std::size_t i = 0; i < findings.runs.size(); ++i) {
    text += i == findings.cheapest ? "<tr class=\"best\">" : "<tr>";
    append_row(text, "td", cells(findings.runs[i]));
  }
  text += "</tbody>\n</table></div>\n";
}

}  // namespace

std::string report(const Script& script, std::span<const Played> runs, const Findings& findings,
                   std::uint32_t cap) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>chirp lab</title>\n<style>\n{}{}</style>\n</head>\n<body>\n<main>\n"
      "<h1>Push or pull, on this graph</h1>\n",
      charts::style(), kStyle);
  append_sentences(text, conclusions(findings));
  append_table(text, findings);
  text += "<h2>What was played</h2>\n";
  append_sentences(text, statements(script, findings));
  text += "<h2>Charts</h2>\n";
  for (const charts::Chart& chart :
       {cost_against_threshold(runs, findings), cost_against_followers(runs, script, findings),
        degree_distribution(script), latencies(runs), life_of_a_timeline(runs, cap)}) {
    text += charts::figure(chart);
  }
  return text + "</main>\n</body>\n</html>\n";
}

namespace {

using charts::Chart;
using charts::Point;
using charts::Scale;
using charts::Series;
using charts::Stroke;

double value_of(std::uint64_t n) { return static_cast<double>(n); }

bool is_cold(const Played& run) { return run.what.cache_bytes == 0; }

// A figure of all hybrid runs, by threshold.
template <class Measure>
std::vector<Point> by_threshold(std::span<const Played> runs, const Findings& findings, bool cold,
                                Measure measure) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].what.threshold || is_cold(runs[i]) != cold) continue;
    points.push_back({value_of(*runs[i].what.threshold), measure(findings.runs[i])});
  }
  return points;
}

double total(const Figures& run) { return run.seconds(); }

std::vector<Point> of_users(const Distribution& distribution) {
  std::vector<Point> points;
  for (const Distribution::Bucket& bucket : distribution.buckets) {
    points.push_back({value_of(bucket.from), value_of(bucket.users)});
  }
  return points;
}

std::vector<Point> percentiles(const bench::Histogram& latency) {
  std::vector<Point> points;
  for (const int percent :
       {1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 99}) {
    points.push_back(
        {static_cast<double>(percent), value_of(latency.percentile(percent / 100.0)) / 1e3});
  }
  return points;
}

const Played* pushed_run(std::span<const Played> runs) {
  const auto found = std::find_if(runs.begin(), runs.end(), [](const Played& run) {
    return run.what.policy == feed::Policy::kPush && is_cold(run);
  });
  return found == runs.end() ? nullptr : &*found;
}

}  // namespace

Chart cost_against_threshold(std::span<const Played> runs, const Findings& findings) {
  Chart chart;
  chart.title = "Processor time of a day, by the threshold of hybrid";
  chart.x = {"threshold: authors with more followers are pulled (followers)", Scale::kLogarithmic};
  chart.y = {"processor time (seconds per day)", Scale::kLinear};
  const auto hybrid = by_threshold(runs, findings, true, total);
  chart.series = {
      {"hybrid", Stroke::kLine, hybrid},
      {"hybrid, only posts", Stroke::kLine,
       by_threshold(runs, findings, true, [](const Figures& run) { return run.post_seconds; })},
      {"hybrid, only reads", Stroke::kLine,
       by_threshold(runs, findings, true, [](const Figures& run) { return run.read_seconds; })}};
  const auto hot = by_threshold(runs, findings, false, total);
  if (!hot.empty()) chart.series.push_back({"hybrid, hot set", Stroke::kLine, hot});
  for (std::size_t i = 0; i < runs.size() && !hybrid.empty(); ++i) {
    if (runs[i].what.threshold || !is_cold(runs[i])) continue;
    const double seconds = findings.runs[i].seconds();
    chart.series.push_back({findings.runs[i].name,
                            Stroke::kDashes,
                            {{hybrid.front().x, seconds}, {hybrid.back().x, seconds}}});
  }
  chart.sentences = {
      "A low threshold pulls from many authors, so posts cost little and reads look in many "
      "places; a high threshold pushes nearly all posts, so posts cost much and reads little.",
      "The lowest point of the hybrid line is the best threshold for this graph and this number of "
      "reads.",
      fmt::format("The dashed lines are the other policies; the cheapest run of all is {}{}, with "
                  "{:.3g} s.",
                  findings.runs[findings.cheapest].name,
                  findings.runs[findings.cheapest].hot ? " with a hot set" : "",
                  findings.runs[findings.cheapest].seconds())};
  return chart;
}

Chart cost_against_followers(std::span<const Played> runs, const Script& script,
                             const Findings& findings) {
  Chart chart;
  chart.title = "The cost of a post, by the followers of its author";
  chart.x = {"followers of the author", Scale::kLogarithmic};
  chart.y = {"processor time (microseconds per post)", Scale::kLogarithmic};
  Series posts{"one post pushed, measured", Stroke::kDots, {}};
  if (const Played* pushed = pushed_run(runs)) {
    for (const auto& [digits, cost] : pushed->by_followers) {
      posts.points.push_back({value_of(cost.followers) / value_of(cost.posts),
                              static_cast<double>(cost.processor_ns) / 1e3 / value_of(cost.posts)});
    }
  }
  chart.series.push_back(std::move(posts));
  const double most = std::max(1.0, value_of(script.degrees.followers.most));
  const auto per_follower = [&](std::string name, Stroke stroke, double ns) {
    chart.series.push_back({std::move(name), stroke, {{1, ns / 1e3}, {most, most * ns / 1e3}}});
  };
  std::string reads = "many";
  if (findings.turn) {
    const BreakEven& turn = *findings.turn;
    reads = fmt::format("{:.3g}", turn.reads_a_post);
    per_follower("reads of it when pulled", Stroke::kLine,
                 turn.source_ns.value_or(turn.rule_source_ns) * turn.reads_a_post);
    per_follower("break-even of the cost rule", Stroke::kDashes, turn.rule_delivery_ns);
  }
  chart.sentences = {
      "A pushed post is written into the timeline of every follower, so its cost grows with their "
      "number; a few followers cost little beyond the post itself.",
      fmt::format(
          "A pulled post costs nothing at first, but then each read by a follower also reads "
          "from its author. The line is for an author who posts as often as the mean of all, "
          "so a follower reads {} times per post.",
          reads),
      "Where that line is above the dashed one, pushing is cheaper. Both grow with the followers, "
      "so it matters how often they read, and not how many they are."};
  return chart;
}

Chart degree_distribution(const Script& script) {
  const Distribution& followers = script.degrees.followers;
  Chart chart;
  chart.title = "Users by number of followers";
  chart.x = {"followers, or accounts followed", Scale::kLogarithmic};
  chart.y = {"users (each point: up to twice as many followers)", Scale::kLogarithmic};
  chart.series = {{"followers", Stroke::kLine, of_users(followers)},
                  {"accounts followed", Stroke::kLine, of_users(script.degrees.following)}};
  chart.sentences = {
      fmt::format(
          "Half of the users have {} followers at most, one in a hundred has {} or more, and "
          "one has {}.",
          followers.median, followers.p99, followers.most),
      "On these axes each step is ten times the one before. A straight falling line means that few "
      "users have very many followers. In such graphs one rule for all authors is seldom the best.",
      "Users without followers are not shown, because the axis has no 0."};
  return chart;
}

Chart latencies(std::span<const Played> runs) {
  Chart chart;
  chart.title = "Time of a page";
  chart.x = {"share of the reads that take at most this time (percent)", Scale::kLinear};
  chart.y = {"time of a page (microseconds)", Scale::kLogarithmic};
  for (const Played& run : runs) {
    if (run.what.threshold || run.latency.count() == 0) continue;
    chart.series.push_back({name_of(run.what) + (is_cold(run) ? "" : ", hot set"), Stroke::kLine,
                            percentiles(run.latency)});
  }
  chart.sentences = {
      "At 50 is the time of an ordinary page; one page in a hundred takes longer than the time at "
      "99.",
      "A pulled page merges the posts of all accounts that its reader follows, so it takes longer "
      "if there are more of them; a pushed page reads one list.",
      "With a hot set, a feed that was read before is served from memory, so the line starts far "
      "lower for that share of the reads."};
  return chart;
}

Chart life_of_a_timeline(std::span<const Played> runs, std::uint32_t cap) {
  Chart chart;
  chart.title = "A timeline's day, under push";
  chart.x = {"time of the day (hours, UTC)", Scale::kLinear};
  chart.y = {"entries of the timeline", Scale::kLinear};
  Series pushed{"pushed on this day", Stroke::kLine, {}};
  Series backfilled{"from before", Stroke::kLine, {}};
  if (const Played* run = pushed_run(runs); run != nullptr && !run->life.empty()) {
    const Time midnight = start_of_day(run->life.front().at);
    for (const TimelineMoment& moment : run->life) {
      const double hour = static_cast<double>(moment.at.ms - midnight.ms) / kHourMs;
      pushed.points.push_back({hour, value_of(moment.pushed)});
      backfilled.points.push_back({hour, value_of(moment.backfilled)});
    }
    chart.series = {pushed,
                    backfilled,
                    {"cap",
                     Stroke::kDashes,
                     {{pushed.points.front().x, static_cast<double>(cap)},
                      {pushed.points.back().x, static_cast<double>(cap)}}}};
  }
  chart.sentences = {
      "This is the timeline of the user who reads most. It was built from the posts of the "
      "accounts they follow, and each later post is pushed into it.",
      fmt::format(
          "It keeps {} entries at most, so once it is full each new entry takes the place of "
          "the oldest.",
          cap),
      "Readers can scroll past its end: the page continues with the posts of the authors "
      "themselves."};
  return chart;
}

}  // namespace chirp::cli::lab
