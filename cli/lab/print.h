// The findings as a table for people, as CSV and as JSON.
#pragma once

#include <string>
#include <vector>

#include "cli/lab/findings.h"
#include "cli/output.h"

namespace chirp::cli::lab {

// Sentences about what was played, what is measured and what is generated.
[[nodiscard]] std::vector<std::string> statements(const Script& script, const Findings& findings);
// Sentences about the cheapest policy and the break-even.
[[nodiscard]] std::vector<std::string> conclusions(const Findings& findings);
// Titles, and a row for each run, for people.
[[nodiscard]] std::vector<std::string> titles();
[[nodiscard]] std::vector<std::string> cells(const Figures& run);

void print_text(Output& out, const Script& script, const Findings& findings);
void print_csv(Output& out, const Findings& findings);
void print_json(Output& out, const Script& script, const Findings& findings);

}  // namespace chirp::cli::lab
