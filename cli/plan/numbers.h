// Numbers in plans, formatted for people.
#pragma once

#include <string>

#include "cli/plan/sizing.h"

namespace chirp::cli::plan {

// From a thousand on a whole number with commas, below that four significant digits: `115,741`,
// `3.251`. Bytes have four digits and a decimal unit: `277.4 TB`.
[[nodiscard]] std::string exact_text(double value, Unit unit);
// Three significant digits with K, M or bn, bytes with a decimal unit: `100 K`, `10 bn`, `235 TB`.
[[nodiscard]] std::string short_text(double value, Unit unit);
// `-13.6 %`, `+15.7 %`; `0 %` for less than a twentieth of a percent.
[[nodiscard]] std::string percent_text(double percent);

}  // namespace chirp::cli::plan
