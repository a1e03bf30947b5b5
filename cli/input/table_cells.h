// Cells of post tables and user tables.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "cli/input/columns.h"
#include "cli/input/table_rows.h"

namespace chirp::cli::input {

// Whether the stored texts of the row are UTF-8; other cells may be in any encoding.
[[nodiscard]] bool are_utf8(const TableRow& row, const Columns& columns);
// Returns a problem if the row has more non-empty cells than named columns: an unquoted separator
// in a text would cut the text short. `width` 0 means any number of cells.
[[nodiscard]] std::optional<std::string> unnamed_cells(const TableRow& row, std::size_t width);
// Removes the `@` and surrounding blanks from a username.
[[nodiscard]] std::string without_at(std::string_view name);

}  // namespace chirp::cli::input
