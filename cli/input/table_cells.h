// Cells of tables of posts and of users.
#pragma once

#include <string>
#include <string_view>

#include "cli/input/csv_rows.h"
#include "cli/input/fields.h"

namespace chirp::cli::input {

// Whether the texts of the row that are kept are UTF-8; other cells may be in any encoding.
[[nodiscard]] bool are_utf8(const CsvRow& row, const Columns& columns);
// A username without its `@` and the blanks around it.
[[nodiscard]] std::string without_at(std::string_view name);

}  // namespace chirp::cli::input
