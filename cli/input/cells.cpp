#include "cli/input/cells.h"

#include <algorithm>

#include "cli/input/notations.h"

namespace chirp::cli::input {
namespace {

std::string_view unquoted(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') {
    cell = cell.substr(1, cell.size() - 2);
  }
  return cell;
}

}  // namespace

bool is_comment(std::string_view line) { return line.starts_with('#') || line.starts_with('%'); }

std::string plain_name(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == '_' || c == '-' || c == ' ') continue;
    text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

char delimiter_of(std::string_view line) {
  for (const char c : {',', ';', '|', '\t'}) {
    if (line.find(c) != std::string_view::npos) return c;
  }
  return ' ';
}

std::vector<std::string_view> cells_of(std::string_view line, char delimiter) {
  std::vector<std::string_view> cells;
  if (delimiter == ' ') {
    for (std::size_t at = 0; at < line.size();) {
      if (is_blank(line[at])) {
        ++at;
        continue;
      }
      const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
      cells.push_back(unquoted(line.substr(at, end - at)));
      at = end;
    }
    return cells;
  }
  for (;;) {
    const std::size_t end = line.find(delimiter);
    cells.push_back(unquoted(line.substr(0, end)));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

}  // namespace chirp::cli::input
