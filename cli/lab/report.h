// The findings as one HTML file: charts, each with an explanation, and the table. It fetches
// nothing, has light and dark colours, and can be printed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/lab/findings.h"
#include "server/charts/chart.h"

namespace chirp::cli::lab {

// ---- the charts; a chart whose runs are missing has no lines
[[nodiscard]] charts::Chart cost_against_threshold(std::span<const Played> runs,
                                                   const Findings& findings);
[[nodiscard]] charts::Chart cost_against_followers(std::span<const Played> runs,
                                                   const Script& script, const Findings& findings);
[[nodiscard]] charts::Chart degree_distribution(const Script& script);
[[nodiscard]] charts::Chart latencies(std::span<const Played> runs);
[[nodiscard]] charts::Chart life_of_a_timeline(std::span<const Played> runs, std::uint32_t cap);

// The whole file. `cap` is the maximum number of entries in a timeline.
[[nodiscard]] std::string report(const Script& script, std::span<const Played> runs,
                                 const Findings& findings, std::uint32_t cap);

}  // namespace chirp::cli::lab
