#include "cli/lab/report.h"

#include <fmt/format.h>

#include "cli/lab/print.h"

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

}  // namespace chirp::cli::lab
