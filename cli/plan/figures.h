// What `chirp bench --json` has measured, as far as a plan needs it.
#pragma once

#include <cstdint>
#include <string>

#include "cli/plan/sizing.h"

namespace chirp::cli::plan {

struct Figures {
  Measured measured;
  std::uint64_t unused = 0;  // lines that tell of something else
};

// Reads a line a figure; `-` is standard input. Pages are those over HTTP, or else those out of the
// hot set as JSON; posts those over HTTP; deliveries those of fan-out. Of several of one name the
// fastest counts. Throws Error{kBadInput}, with file and line, for what is no figure.
[[nodiscard]] Figures read_figures(const std::string& path);

}  // namespace chirp::cli::plan
