// Tables for people: aligned with headings at a terminal, tab-separated through a pipe.
//
// A table wider than the terminal omits empty columns and cuts long texts, but never numbers or
// ids. If that is not enough, each row becomes a paragraph of names and values.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/fitted.h"
#include "cli/output.h"

namespace chirp::cli {

// Rows of CSV (RFC 4180): commas, CR LF, and quotes around cells that need them.
[[nodiscard]] std::string csv_row(std::span<const std::string> cells);

// A longer list is printed as tables of this many rows of equal widths, to bound memory.
inline constexpr std::size_t kTableRows = 1000;

struct TextColumn {
  std::string title;
  Align align = Align::kLeft;
};

class TextTable {
 public:
  // Escapes control characters in titles and cells.
  explicit TextTable(std::vector<TextColumn> columns);

  // Takes one cell for each column.
  void row(std::vector<std::string> cells);
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  void print(Output& out) const;

 private:
  void print_aligned(Output& out) const;
  void print_records(Output& out) const;

  std::vector<TextColumn> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Prints names and values, one pair a line.
void print_facts(Output& out, const std::vector<std::pair<std::string, std::string>>& facts);

}  // namespace chirp::cli
