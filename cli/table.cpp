#include "cli/table.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli {
namespace {

constexpr std::size_t kCellMax = 60;    // columns of one cell or title at a terminal
constexpr std::size_t kCellLeast = 16;  // a username and a session are never cut
constexpr std::size_t kGap = 2;

// A column of a table as it is printed at a terminal.
struct Shown {
  std::size_t index = 0;  // among the table's
  Align align = Align::kLeft;
  std::size_t width = 0;
  std::size_t least = kCellLeast;
  bool says = false;  // some cell has something in it
};

bool fits(const std::vector<Shown>& shown, std::size_t columns) {
  std::size_t width = 0;
  for (const Shown& column : shown) width += column.width + kGap;
  return shown.empty() || width - kGap <= columns;
}

// Takes from the widest texts and titles, one column of the terminal at a time. Numbers stay whole.
void narrow(std::vector<Shown>& shown, std::size_t columns) {
  while (!fits(shown, columns)) {
    Shown* widest = nullptr;
    for (Shown& column : shown) {
      if (column.width <= column.least) continue;
      if (widest == nullptr || column.width > widest->width) widest = &column;
    }
    if (widest == nullptr) return;
    --widest->width;
  }
}

std::string line_of(const std::vector<Shown>& shown, const std::vector<std::string>& cells) {
  std::string line;
  for (const Shown& column : shown) {
    if (&column != &shown.front()) line += std::string(kGap, ' ');
    const std::string cell = clipped(cells[column.index], column.width);
    const bool last = &column == &shown.back() && column.align == Align::kLeft;
    line += last ? cell : padded(cell, column.width, column.align);
  }
  return line;
}

// What may go to a terminal as it is; a long value goes on below itself.
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

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (Column& column : columns_) column.title = safe(column.title);
}

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
  std::vector<Shown> shown;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::size_t title = std::min(display_width(columns_[i].title), kCellMax);
    std::size_t widest = 0;
    Shown column{.index = i, .align = columns_[i].align};
    for (const auto& cells : rows_) {
      widest = std::max(widest, std::min(display_width(cells[i]), kCellMax));
      column.says = column.says || !cells[i].empty();
    }
    column.width = std::max(title, widest);
    if (column.align == Align::kRight) column.least = std::max(widest, kCellLeast);
    shown.push_back(column);
  }
  if (!fits(shown, out.columns())) {
    std::erase_if(shown, [](const Shown& column) { return !column.says; });
    narrow(shown, out.columns());
  }
  if (!fits(shown, out.columns())) return print_records(out);
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  out.print(out.ink(Ink::kDim, line_of(shown, titles)) + "\n");
  for (const auto& cells : rows_) out.print(line_of(shown, cells) + "\n");
}

void Table::print_records(Output& out) const {
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

}  // namespace chirp::cli
