// Cells of post tables and user tables.
#pragma once

#include <string>
#include <string_view>

#include "cli/input/columns.h"
#include "cli/input/table_rows.h"

namespace chirp::cli::input {

// Whether the texts of the row that are kept are UTF-8; other cells may be in any encoding.
[[nodiscard]] bool are_utf8(const TableRow& row, const Columns& columns);
// A username without its `@` and the blanks around it.
[[nodiscard]] std::string without_at(std::string_view name);

}  // namespace chirp::cli::input
