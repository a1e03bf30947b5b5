// The summary at the end of a load.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/load/left_out_files.h"
#include "cli/load/preview.h"
#include "cli/output.h"
#include "core/error.h"
#include "core/load/tally.h"

namespace chirp::cli {

// Describes a load that an error has ended.
struct StoppedLoad {
  std::string_view rows;  // the word for what was loaded, such as "posts"
  std::uint64_t stored;
  std::uint64_t not_stored;  // rows that it has read and neither stored nor skipped
  bool is_bad_line;          // which --max-errors would skip
};

// Returns the error with what is stored and what to do next.
[[nodiscard]] Error stopped_load(const Error& error, const StoppedLoad& load);

struct LoadSummary {
  std::string rows;  // the word for what was loaded, such as "posts"
  std::uint64_t read = 0;
  load::Counts counts;
  // Reasons for skipped rows or members, with their counts: names for programs, such as
  // "selfLoops".
  std::vector<std::pair<std::string, std::uint64_t>> skipped;
  std::uint64_t errors = 0;  // bad lines
  std::uint64_t bytes = 0;   // of input, as stored on disk
  double seconds = 0;
  Preview* preview = nullptr;              // only in a dry run
  const LeftOutFiles* left_out = nullptr;  // only for loads of files
  // Rows that a stopped load has read and neither stored nor skipped; empty for a complete load.
  std::optional<std::uint64_t> not_stored{};
};

// Prints a table for people, or the documented object as JSON.
void print_summary(Output& out, const LoadSummary& summary);

}  // namespace chirp::cli
