// Text fitted to a width in terminal columns (display_width), without splitting characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace chirp::cli {

// The width of an output that is not a terminal.
inline constexpr std::size_t kNoWidth = std::numeric_limits<std::size_t>::max();

enum class Align : std::uint8_t { kLeft, kRight };

// Pads the text with blanks to this many columns.
[[nodiscard]] std::string padded(std::string_view text, std::size_t columns, Align align);
// Cuts the text to this many columns; a cut text ends with an ellipsis.
[[nodiscard]] std::string clipped(std::string_view text, std::size_t columns);

// Breaks lines between words, so that only a word wider than a line exceeds `columns`. `used`
// columns precede the first line, and `indent` blanks each other line.
struct Indent {
  std::size_t used = 0;
  std::size_t indent = 0;
};
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t columns, Indent indent);

// Wraps the output of --help to this many columns, except examples, which may be copied.
[[nodiscard]] std::string wrapped_help(std::string_view help, std::size_t columns);

}  // namespace chirp::cli
