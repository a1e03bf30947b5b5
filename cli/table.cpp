#include "cli/table.h"

#include <algorithm>

#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli {
namespace {

constexpr std::size_t kCellMax = 60;  // columns of one cell at a terminal

// The text filled up to `width` columns.
std::string padded(std::string_view text, std::size_t width, Align align) {
  const std::size_t used = display_width(text);
  const std::string fill(width > used ? width - used : 0, ' ');
  return align == Align::kRight ? fill + std::string(text) : std::string(text) + fill;
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Cut to `width` columns, whole characters only.
std::string clipped(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  std::size_t end = text.size();
  while (end > 0 && display_width(text.substr(0, end)) + 1 > width) {
    --end;
    while (end > 0 && continues(text[end])) --end;
  }
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace

void Table::row(std::vector<std::string> cells) {
  check(cells.size() == columns_.size(), "a table's row has a cell for each column");
  for (std::string& cell : cells) cell = safe(cell);
  rows_.push_back(std::move(cells));
}

void Table::print(Output& out) const {
  if (out.terminal()) return print_aligned(out);
  for (const auto& cells : rows_) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) out.print("\t");
      out.print(cells[i]);
    }
    out.print("\n");
  }
}

void Table::print_aligned(Output& out) const {
  if (rows_.empty()) return;
  std::vector<std::vector<std::string>> shown;
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(display_width(column.title));
  for (const auto& cells : rows_) {
    auto& line = shown.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      line.push_back(clipped(cells[i], kCellMax));
      widths[i] = std::max(widths[i], display_width(line.back()));
    }
  }
  const auto print_line = [&](const std::vector<std::string>& cells, bool heading) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) line += "  ";
      const bool last = i + 1 == cells.size() && columns_[i].align == Align::kLeft;
      line += last ? cells[i] : padded(cells[i], widths[i], columns_[i].align);
    }
    out.print(heading ? out.ink(Ink::kDim, line) : line);
    out.print("\n");
  };
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  print_line(titles, true);
  for (const auto& line : shown) print_line(line, false);
}

void print_facts(Output& out, const std::vector<std::pair<std::string, std::string>>& facts) {
  std::size_t width = 0;
  for (const auto& [name, value] : facts) width = std::max(width, display_width(name));
  for (const auto& [name, value] : facts) {
    if (out.terminal()) {
      out.print(out.ink(Ink::kDim, padded(name, width, Align::kLeft)));
      out.print("  ");
    } else {
      out.print(name);
      out.print("\t");
    }
    out.print(safe(value));
    out.print("\n");
  }
}

}  // namespace chirp::cli
