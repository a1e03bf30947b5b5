// Lines of tables: their cells, and what parts them.
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

// The character that parts the cells of this first row: of `,` tab `;` `|` outside of quotes the
// most frequent, or a blank if there is none of them.
[[nodiscard]] char separator_in(std::string_view first_row);

// The cells of a row of one line, without quotes: parted by `separator` outside of quotes, or by
// runs of blanks and tabs if that is a blank.
[[nodiscard]] std::vector<std::string_view> cells_of(std::string_view line, char separator);

}  // namespace chirp::cli::input
