// Tables for people: aligned under headings at a terminal, tabs between the cells through a pipe.
//
// A table that is wider than the terminal leaves out columns that say nothing and cuts long texts,
// numbers and ids never; where that is not enough, each row is a paragraph of names and values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/fitted.h"
#include "cli/output.h"

namespace chirp::cli {

// A list of more rows is a table for each so many, as wide as these: no more are gathered.
inline constexpr std::size_t kTableRows = 1000;

struct Column {
  std::string title;
  Align align = Align::kLeft;
};

class Table {
 public:
  // Control characters in titles and cells are escaped.
  explicit Table(std::vector<Column> columns);

  // As many cells as there are columns.
  void row(std::vector<std::string> cells);
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  void print(Output& out) const;

 private:
  void print_aligned(Output& out) const;
  void print_records(Output& out) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Names and values, one a line.
void print_facts(Output& out, const std::vector<std::pair<std::string, std::string>>& facts);

}  // namespace chirp::cli
