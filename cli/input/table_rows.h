// Reads the rows of tables: CSV, TSV, or with any separator or blanks, with or without quotes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/lines.h"

namespace chirp::cli::input {

// A row, or an error.
struct TableRow {
  std::uint64_t line = 0;                   // where it starts
  std::span<const std::string_view> cells;  // valid until the next row is read
  std::string_view text;                    // the row as written; empty if it has several lines
  std::string problem;                      // empty if the row is good
  std::uint64_t bad_line = 0;  // first line with invalid UTF-8, which may be harmless; or 0
  std::string bad_text;        // what is wrong in that line
};

// The format of rows, as far as the user gives it.
struct TableStyle {
  // Empty: guessed from the first row. A blank means any number of blanks and tabs.
  std::optional<char> separator{};
  // kTexts: cells are kept as written. A quote in the wrong place makes the row bad; in TSV it is a
  // plain character. kWords: blanks around cells are removed, `#` and `%` begin comments, and a row
  // with a quote in the wrong place is read as if quotes were plain characters.
  enum class Cells : std::uint8_t { kTexts, kWords };
  Cells cells = Cells::kTexts;
  // If not 0, there are no quotes, and each line is a row of at most this many cells. Further
  // separators and any quotes are part of the last cell.
  std::size_t plain_cells = 0;
};

// Reads the rest of `buffer`. A row is at most kRecordMax long. After a bad row, reading continues
// at the line after the row's first line, however many lines the row seemed to have.
class TableRows {
 public:
  explicit TableRows(TextBuffer& buffer, const TableStyle& style = {});
  ~TableRows();

  // Returns the next row. Skips blank lines.
  std::optional<TableRow> next();
  // Returns the separator of the cells. Call it after the first row.
  [[nodiscard]] char separator() const;

  // Reads the remaining rows. A row is a bad line if it has a problem itself or if `take` returns
  // one. `take` may set the row's line to the line with the problem. Notes a last line without an
  // end.
  using Take = std::function<std::optional<std::string>(TableRow&)>;
  void read(std::string_view name, BadLines& bad, const Take& take);
  // The same, starting with `row`, which was read before.
  void read_from(TableRow row, std::string_view name, BadLines& bad, const Take& take);
  // Notes a last line without an end, once all rows have been read.
  void end(std::string_view name, const BadLines& bad) const;

  // Reads rows of two plain numbers without splitting them into cells. `one` gets the text between
  // two pointers, reads one row, and returns the start of the next line. It returns null for a row
  // of any other kind.
  template <class One>
  void read_numbers(One one) {
    const std::string_view text = lines_.at_hand();
    const char* at = text.data();
    const char* const end = at + text.size();
    std::uint64_t rows = 0;
    while (at != end) {
      const char* const next = one(at, end);
      if (next == nullptr) break;
      at = next;
      ++rows;
    }
    if (rows > 0) last_ = lines_.pass(static_cast<std::size_t>(at - text.data()), rows);
  }

 private:
  struct Parser;

  // Returns the row of a line that has no quotes.
  TableRow plain_row(const Line& line);
  // Returns a bad row that begins at this line.
  TableRow broken_row(std::uint64_t line, std::string_view problem);

  Lines lines_;
  std::uint64_t last_ = 0;  // first line of the last row returned
  std::unique_ptr<Parser> parser_;
};

}  // namespace chirp::cli::input
