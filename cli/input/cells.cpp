#include "cli/input/cells.h"

#include <array>

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

// Returns the end of the cell that begins at `at`.
std::size_t cell_end(std::string_view line, std::size_t at, char separator) {
  const auto parts = [separator](char c) {
    return c == separator || (separator == ' ' && is_blank(c));
  };
  std::size_t begin = at;
  while (begin < line.size() && is_blank(line[begin]) && !parts(line[begin])) ++begin;
  if (begin < line.size() && line[begin] == '"') {
    std::size_t close = line.find('"', begin + 1);
    while (close != std::string_view::npos && line.substr(close + 1).starts_with('"')) {
      close = line.find('"', close + 2);
    }
    if (close != std::string_view::npos) {
      std::size_t end = close + 1;
      while (end < line.size() && is_blank(line[end]) && !parts(line[end])) ++end;
      if (end == line.size() || parts(line[end])) return end;
    }
  }
  return static_cast<std::size_t>(
      std::find_if(line.begin() + static_cast<std::ptrdiff_t>(at), line.end(), parts) -
      line.begin());
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

char separator_in(std::string_view first_row) {
  // NetworkX puts attributes in braces after the cells.
  first_row = first_row.substr(0, first_row.find('{'));
  const bool quotes = std::ranges::count(first_row, '"') % 2 == 0;
  constexpr std::string_view kKnown = ",\t;|";
  std::array<std::size_t, kKnown.size()> found{};
  bool quoted = false;
  for (const char c : first_row) {
    if (c == '"' && quotes) quoted = !quoted;
    const std::size_t known = kKnown.find(c);
    if (!quoted && known != std::string_view::npos) ++found[known];
  }
  const auto* const most = std::ranges::max_element(found);
  return *most == 0 ? ' ' : kKnown[static_cast<std::size_t>(most - found.begin())];
}

std::vector<std::string_view> cells_of(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  if (separator == ' ') {
    for (std::size_t at = 0; at < line.size();) {
      if (is_blank(line[at])) {
        ++at;
        continue;
      }
      const std::size_t end = cell_end(line, at, separator);
      cells.push_back(unquoted(line.substr(at, end - at)));
      at = end;
    }
    return cells;
  }
  for (;;) {
    const std::size_t end = cell_end(line, 0, separator);
    cells.push_back(unquoted(line.substr(0, end)));
    if (end == line.size()) return cells;
    line.remove_prefix(end + 1);
  }
}

}  // namespace chirp::cli::input
