// Rows of numbers in text files: their cells, parted by blanks or by one delimiter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace chirp::cli::input {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
[[nodiscard]] bool is_comment(std::string_view line);

// The name of a column or of a kind in small letters, without `_`, `-` and blanks: how names that
// mean the same are told to.
[[nodiscard]] std::string plain_name(std::string_view name);

// What parts the cells of this row: `,` `;` `|` tab, or a blank if nothing else does.
[[nodiscard]] char delimiter_of(std::string_view line);

// The cells of a row, without quotes: parted by `delimiter`, or by runs of blanks and tabs if that
// is a blank.
[[nodiscard]] std::vector<std::string_view> cells_of(std::string_view line, char delimiter);

}  // namespace chirp::cli::input
