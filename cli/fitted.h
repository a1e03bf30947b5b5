// Text fitted to a width, in columns of a terminal (display_width), whole characters only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace chirp::cli {

// Of what is no terminal.
inline constexpr std::size_t kNoWidth = std::numeric_limits<std::size_t>::max();

enum class Align : std::uint8_t { kLeft, kRight };

// The text filled up with blanks to so many columns.
[[nodiscard]] std::string padded(std::string_view text, std::size_t columns, Align align);
// Cut to so many columns, of which the last is an ellipsis then.
[[nodiscard]] std::string clipped(std::string_view text, std::size_t columns);

// Broken between words, so that no line passes `columns` but for a word that is wider than a line.
// `used` columns stand before the first line, and `indent` blanks are put before each other one.
struct Indent {
  std::size_t used = 0;
  std::size_t indent = 0;
};
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t columns, Indent indent);

// What --help prints, in lines of so many columns. Examples stay as they are, to be copied.
[[nodiscard]] std::string wrapped_help(std::string_view help, std::size_t columns);

}  // namespace chirp::cli
