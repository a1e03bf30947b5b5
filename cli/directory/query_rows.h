// Prints the rows of a query as they come: none are gathered but the block that a table is made of.
//
// A query keeps what it reads from being freed, so it does not wait for whoever reads the output
// longer than it may go on. An output that is held back (Output::hold) has all of it once the query
// is gone.
#pragma once

#include <cstdint>

#include "cli/directory/overtime.h"
#include "cli/output.h"
#include "store/query/query.h"

namespace chirp::cli {

enum class RowForm : std::uint8_t { kTable, kTabs, kCsv, kJson };

// To the end, or until the reader has gone. Throws what the query throws, its rows until then
// printed.
void print_rows(Output& out, query::Query& query, RowForm form, Overtime& overtime);

}  // namespace chirp::cli
