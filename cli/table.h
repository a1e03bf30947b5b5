// Tables for people: aligned under headings at a terminal, tabs between the cells through a pipe.
//
// A table that is wider than the terminal leaves out columns that say nothing and cuts long texts,
// numbers and ids never; where that is not enough, each row is a paragraph of names and values.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/fitted.h"
#include "cli/output.h"

namespace chirp::cli {

struct Column {
  std::string title;
  Align align = Align::kLeft;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // As many cells as there are columns; control characters in them are escaped.
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
