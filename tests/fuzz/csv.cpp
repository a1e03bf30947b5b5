// Tables in CSV and TSV: rows in pieces are the rows of the whole, and rows written anew with all
// their cells in quotes are read again. Then the tables as posts and as names.
#include <algorithm>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/table_rows.h"
#include "tests/fuzz/posts_said.h"

namespace chirp::fuzz {
namespace {

using namespace cli::input;

struct Table {
  std::vector<std::vector<std::string>> rows;
  bool sound = true;  // no row has a problem
};

Table rows_of(Bytes text) {
  Table table;
  (void)read_both_ways(text, [&](TextBuffer& buffer, BadLines& /*bad*/, Said& said) {
    table = {};
    TableRows reader(buffer);
    while (const auto row = reader.next()) {
      said.push_back(fmt::format("{}: {}", row->line, row->problem));
      said.insert(said.end(), row->cells.begin(), row->cells.end());
      table.rows.emplace_back(row->cells.begin(), row->cells.end());
      table.sound &= row->problem.empty();
    }
  });
  return table;
}

std::string quoted(const std::string& cell) {
  std::string out = "\"";
  for (const char c : cell) {
    out += c;
    if (c == '"') out += c;
  }
  return out + '"';
}

// Line ends of other systems become plain ones.
bool has_returns(const Table& table) {
  return std::ranges::any_of(table.rows, [](const auto& row) {
    return std::ranges::any_of(
        row, [](const std::string& cell) { return cell.find('\r') != std::string::npos; });
  });
}

void check_written_anew(const Table& table, char delimiter) {
  if (table.rows.empty() || !table.sound || has_returns(table)) return;
  std::string text;
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += delimiter;
      text += quoted(row[i]);
    }
    text += '\n';
  }
  if (separator_in(std::string_view(text).substr(0, text.find('\n'))) != delimiter) return;
  holds(rows_of(text).rows == table.rows, "rows written with quotes are read again");
}

}  // namespace

void csv(Bytes input) {
  const Table table = rows_of(input);
  for (const char delimiter : {',', '\t', ';', '|'}) check_written_anew(table, delimiter);
  (void)posts_said(input, PostFormat::kCsv);
  (void)read_both_ways(input, [](TextBuffer& buffer, BadLines& bad, Said& said) {
    (void)read_names(buffer, "f", bad,
                     [&](load::SourceUser&& user) { said.push_back(words_of(user)); });
  });
}

}  // namespace chirp::fuzz
