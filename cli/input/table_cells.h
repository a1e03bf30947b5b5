// Cells of post tables and user tables.
#pragma once

#include <string>
#include <string_view>

#include "cli/input/csv_rows.h"
#include "cli/input/fields.h"

namespace chirp::cli::input {

// Whether the cells that are kept are valid UTF-8; other cells may have any encoding.
[[nodiscard]] bool are_utf8(const CsvRow& row, const Columns& columns);
// Returns a username without its `@` and surrounding blanks.
[[nodiscard]] std::string without_at(std::string_view name);

}  // namespace chirp::cli::input
