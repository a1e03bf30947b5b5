// The figures of `chirp bench --json` that a plan needs.
#pragma once

#include <cstdint>
#include <string>

#include "cli/plan/sizing.h"

namespace chirp::cli::plan {

struct MeasuredFigures {
  MeasuredRates measured;
  std::uint64_t unused = 0;  // lines with other figures
};

// Reads one figure a line; `-` is standard input. Uses pages over HTTP, or else from the hot set as
// JSON; posts over HTTP; and deliveries of fan-out. Of several figures with one name, the fastest
// counts. Throws Error{kBadInput}, with file and line, for a line that is not a figure.
[[nodiscard]] MeasuredFigures read_figures(const std::string& path);

}  // namespace chirp::cli::plan
