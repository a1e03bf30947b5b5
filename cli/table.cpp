#include "cli/table.h"

#include <algorithm>

#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli {
namespace {

constexpr std::size_t kCellMax = 60;    // columns of one cell or title at a terminal
constexpr std::size_t kCellLeast = 16;  // long enough for a username and a session id
constexpr std::size_t kGap = 2;

// A column as it is printed at a terminal.
struct ShownColumn {
  std::size_t index = 0;  // index in the table
  Align align = Align::kLeft;
  std::size_t width = 0;
  std::size_t least = kCellLeast;
  bool says = false;  // at least one cell is not empty
};

bool fits(const std::vector<ShownColumn>& shown, std::size_t columns) {
  std::size_t width = 0;
  for (const ShownColumn& column : shown) width += column.width + kGap;
  return shown.empty() || width - kGap <= columns;
}

// Shrinks the widest texts and titles, one terminal column at a time. Numbers stay whole.
void narrow(std::vector<ShownColumn>& shown, std::size_t columns) {
  while (!fits(shown, columns)) {
    ShownColumn* widest = nullptr;
    for (ShownColumn& column : shown) {
      if (column.width <= column.least) continue;
      if (widest == nullptr || column.width > widest->width) widest = &column;
    }
    if (widest == nullptr) return;
    --widest->width;
  }
}

std::string line_of(const std::vector<ShownColumn>& shown, const std::vector<std::string>& cells) {
  std::string line;
  for (const ShownColumn& column : shown) {
    if (&column != &shown.front()) line += std::string(kGap, ' ');
    const std::string cell = clipped(cells[column.index], column.width);
    const bool last = &column == &shown.back() && column.align == Align::kLeft;
    line += last ? cell : padded(cell, column.width, column.align);
  }
  return line;
}

// For a terminal; a long value continues on the lines below it.
void print_aligned_facts(Output& out,
                         const std::vector<std::pair<std::string, std::string>>& facts) {
  std::size_t width = 0;
  for (const auto& [name, value] : facts) width = std::max(width, display_width(name));
  const std::size_t indent = width + kGap;
  for (const auto& [name, value] : facts) {
    out.print(out.ink(Ink::kDim, padded(name, width, Align::kLeft)) + std::string(kGap, ' ') +
              wrapped(value, out.columns(), {indent, indent}) + "\n");
  }
}

}  // namespace

TextTable::TextTable(std::vector<TextColumn> columns) : columns_(std::move(columns)) {
  for (TextColumn& column : columns_) column.title = safe(column.title);
}

void TextTable::row(std::vector<std::string> cells) {
  check(cells.size() == columns_.size(), "a table's row has a cell for each column");
  for (std::string& cell : cells) cell = safe(cell);
  rows_.push_back(std::move(cells));
}

void TextTable::print(Output& out) const {
  if (out.terminal()) return print_aligned(out);
  for (const auto& cells : rows_) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) out.print("\t");
      out.print(cells[i]);
    }
    out.print("\n");
  }
}

void TextTable::print_aligned(Output& out) const {
  if (rows_.empty()) return;
  std::vector<ShownColumn> shown;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::size_t title = std::min(display_width(columns_[i].title), kCellMax);
    std::size_t widest = 0;
    ShownColumn column{.index = i, .align = columns_[i].align};
    for (const auto& cells : rows_) {
      widest = std::max(widest, std::min(display_width(cells[i]), kCellMax));
      column.says = column.says || !cells[i].empty();
    }
    column.width = std::max(title, widest);
    if (column.align == Align::kRight) column.least = std::max(widest, kCellLeast);
    shown.push_back(column);
  }
  if (!fits(shown, out.columns())) {
    std::erase_if(shown, [](const ShownColumn& column) { return !column.says; });
    narrow(shown, out.columns());
  }
  if (!fits(shown, out.columns())) return print_records(out);
  std::vector<std::string> titles;
  for (const TextColumn& column : columns_) titles.push_back(column.title);
  out.print(out.ink(Ink::kDim, line_of(shown, titles)) + "\n");
  for (const auto& cells : rows_) out.print(line_of(shown, cells) + "\n");
}

void TextTable::print_records(Output& out) const {
  for (const auto& cells : rows_) {
    if (&cells != &rows_.front()) out.print("\n");
    std::vector<std::pair<std::string, std::string>> facts;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!cells[i].empty()) facts.emplace_back(clipped(columns_[i].title, kCellMax), cells[i]);
    }
    print_aligned_facts(out, facts);
  }
}

void print_facts(Output& out, const std::vector<std::pair<std::string, std::string>>& facts) {
  std::vector<std::pair<std::string, std::string>> shown;
  for (const auto& [name, value] : facts) shown.emplace_back(name, safe(value));
  if (out.terminal()) return print_aligned_facts(out, shown);
  for (const auto& [name, value] : shown) out.print(name + "\t" + value + "\n");
}

std::string csv_row(std::span<const std::string> cells) {
  std::string row;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) row += ',';
    const std::string& cell = cells[i];
    // A lone empty cell would be an empty line, which readers skip.
    const bool bare =
        cell.find_first_of(",\"\r\n") == std::string::npos && !(cells.size() == 1 && cell.empty());
    if (bare) {
      row += cell;
      continue;
    }
    row += '"';
    for (const char c : cell) {
      if (c == '"') row += '"';
      row += c;
    }
    row += '"';
  }
  return row + "\r\n";
}

}  // namespace chirp::cli
