// Splits lines of tables into cells.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace chirp::cli::input {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
[[nodiscard]] bool is_comment(std::string_view line);

// Returns the meaning of a name in a table of names and meanings.
template <class Table>
[[nodiscard]] auto meaning_in(const Table& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, [](const auto& pair) { return pair.first; });
  return found == std::end(table) ? std::nullopt : std::optional(found->second);
}

// Returns the name of a column or kind in lower case, without `_`, `-` and blanks, so that names
// with the same meaning compare equal.
[[nodiscard]] std::string plain_name(std::string_view name);

// Returns the separator of a table's cells: the most frequent of `,` tab `;` `|` outside of quotes
// in its first row, or a blank if the row has none of them.
[[nodiscard]] char separator_in(std::string_view first_row);

// Splits a row of one line into cells, without their quotes. Cells end at `separator` outside of
// quotes. If `separator` is a blank, they end at any run of blanks and tabs.
[[nodiscard]] std::vector<std::string_view> cells_of(std::string_view line, char separator);

}  // namespace chirp::cli::input
