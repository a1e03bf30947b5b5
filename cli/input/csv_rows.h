// Rows of CSV and TSV: quotes, doubled quotes, line ends inside of quotes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/lines.h"

namespace chirp::cli::input {

// The cells of a row, or what is wrong with it.
struct CsvRow {
  std::uint64_t line = 0;                   // where it starts
  std::span<const std::string_view> cells;  // valid until the next row is read
  std::string problem;                      // empty if nothing is
  std::uint64_t bad_line = 0;  // the first that is no UTF-8, which need not be a problem; or 0
  std::string bad_text;        // why that is none
};

// The character that parts the cells of this first row: of `,` tab `;` `|` the most frequent.
[[nodiscard]] char csv_delimiter(std::string_view first_row);

// How rows are written, as far as somebody says it.
struct RowStyle {
  std::optional<char> separator{};  // guessed from the first row otherwise
  // Without quotes each line is a row of so many cells at most: separators behind the last are part
  // of it, and so are quotes. 0: there are quotes.
  std::size_t plain_cells = 0;
};

// Reads all of what `buffer` has open. A row is at most kRecordMax long. A quote inside a cell that
// does not start with one is a problem of the row, in TSV a plain character.
class CsvRows {
 public:
  explicit CsvRows(TextBuffer& buffer, const RowStyle& style = {});
  ~CsvRows();

  // Blank lines are passed over.
  std::optional<CsvRow> next();
  // What parts the cells, once a row has come.
  [[nodiscard]] char separator() const;
  // Whether the line that came last had no end.
  [[nodiscard]] bool unended() const { return lines_.unended(); }

 private:
  struct Parser;

  std::optional<CsvRow> finish();
  // Of a line without quotes.
  CsvRow plain_row(const Line& line);

  Lines lines_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace chirp::cli::input
