// What a file is that no reader takes, told by its first bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace chirp::cli::input {

// Returns what the text looks like and what to do, as in "a PDF; save its table as CSV". Empty for
// anything that may be a table, a list or JSON.
[[nodiscard]] std::optional<std::string> looks_like(std::string_view head);

// Returns what is wrong at the first word outside of the strings of a JSON text that JSON does not
// have, such as NaN: with its column, and the number of line ends before it. Empty if there is
// none.
struct OddWord {
  std::string words;
  std::size_t lines = 0;
};
[[nodiscard]] std::optional<OddWord> odd_word_in(std::string_view json, std::size_t column);

}  // namespace chirp::cli::input
