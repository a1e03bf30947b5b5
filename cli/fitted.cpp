#include "cli/fitted.h"

#include <algorithm>

#include "core/model/names.h"

namespace chirp::cli {
namespace {

// Continuation lines of help are indented to the second part of the line, if it has two.
std::string wrapped_line(std::string_view line, std::size_t columns) {
  constexpr std::size_t kBelow = 6;  // if there is no room beside the first part
  constexpr std::string_view kUsage = "Usage: ";
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  if (line.starts_with(kUsage)) return wrapped(line, columns, {0, kUsage.size()});
  const std::size_t gap = line.find("  ", begin);
  const std::size_t second = line.find_first_not_of(' ', gap);
  if (gap == std::string_view::npos || second == std::string_view::npos) {
    return wrapped(line, columns, {0, std::min(begin, columns / 2)});
  }
  if (second <= columns / 2) {
    return std::string(line.substr(0, second)) +
           wrapped(line.substr(second), columns, {second, second});
  }
  return std::string(line.substr(0, gap)) + "\n" + std::string(kBelow, ' ') +
         wrapped(line.substr(second), columns, {kBelow, kBelow});
}

}  // namespace

std::string padded(std::string_view text, std::size_t columns, Align align) {
  const std::size_t used = display_width(text);
  const std::string fill(columns > used ? columns - used : 0, ' ');
  return align == Align::kRight ? fill + std::string(text) : std::string(text) + fill;
}

std::string clipped(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  return std::string(within_columns(text, columns - 1)) + "…";
}

std::string wrapped(std::string_view text, std::size_t columns, Indent indent) {
  if (columns == kNoWidth) return std::string(text);
  std::string out;
  std::size_t used = indent.used;
  bool has_word = false;
  while (!text.empty()) {
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = std::min(text.find(' ', blanks), text.size());
    const std::string_view word = text.substr(blanks, end - blanks);
    const std::size_t width = display_width(word);
    if (has_word && used + blanks + width > columns) {
      if (!word.empty()) out += "\n" + std::string(indent.indent, ' ');
      used = indent.indent;
    } else {
      out += text.substr(0, blanks);
      used += blanks;
    }
    out += word;
    used += width;
    has_word = has_word || !word.empty();
    text.remove_prefix(end);
  }
  return out;
}

std::string wrapped_help(std::string_view help, std::size_t columns) {
  std::string out;
  bool examples = false;
  while (!help.empty()) {
    const std::size_t end = std::min(help.find('\n'), help.size());
    const std::string_view line = help.substr(0, end);
    examples = line == "Examples:" || (examples && !line.empty());
    out += examples ? std::string(line) : wrapped_line(line, columns);
    if (end < help.size()) out += '\n';
    help.remove_prefix(std::min(end + 1, help.size()));
  }
  return out;
}

}  // namespace chirp::cli
