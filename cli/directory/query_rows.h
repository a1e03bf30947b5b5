// Prints the rows of a query as they arrive, and buffers at most one table of them.
//
// A query pins the snapshot it reads, so it waits for a slow reader only until its own deadline.
// Held-back output (Output::hold) gets all rows after the query has ended.
#pragma once

#include <cstdint>

#include "cli/directory/overtime.h"
#include "cli/output.h"
#include "store/query/query.h"

namespace chirp::cli {

enum class RowForm : std::uint8_t { kTable, kTabs, kCsv, kJson };

// Runs to the end, or until the reader closes the output. Throws what the query throws, after
// printing the rows so far.
void print_rows(Output& out, query::Query& query, RowForm form, Overtime& overtime);

}  // namespace chirp::cli
