// Rows of tables: CSV, TSV, or parted by any character or by blanks; with quotes or without.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/bad_lines.h"
#include "cli/input/lines.h"

namespace chirp::cli::input {

// The cells of a row, or what is wrong with it.
struct TableRow {
  std::uint64_t line = 0;                   // where it starts
  std::span<const std::string_view> cells;  // valid until the next row is read
  std::string_view text;                    // as it stands there; empty if it has several lines
  std::string problem;                      // empty if nothing is
  std::uint64_t bad_line = 0;  // the first that is no UTF-8, which need not be a problem; or 0
  std::string bad_text;        // why that is none
};

// How rows are written, as far as somebody says it.
struct TableStyle {
  // Guessed from the first row otherwise. A blank: any number of blanks and tabs.
  std::optional<char> separator{};
  // Texts stand as they are, and a quote in the wrong place is a problem of the row (in TSV it is a
  // plain character). Words have no blanks around them; a row of them with such a quote has none
  // that part cells, and `#` and `%` begin comments.
  enum class Cells : std::uint8_t { kTexts, kWords };
  Cells cells = Cells::kTexts;
  // Without quotes each line is a row of so many cells at most: separators behind the last are part
  // of it, and so are quotes. 0: there are quotes.
  std::size_t plain_cells = 0;
};

// Reads all of what `buffer` has open. A row is at most kRecordMax long. Behind a row with a
// problem the next line is read, however many it seemed to have.
class TableRows {
 public:
  explicit TableRows(TextBuffer& buffer, const TableStyle& style = {});
  ~TableRows();

  // Blank lines are skipped.
  std::optional<TableRow> next();
  // What parts the cells, once a row has come.
  [[nodiscard]] char separator() const;

  // Reads the rest. What is wrong with a row is a bad line: what `take` says, which may set the
  // row's line to where it is wrong, or a problem of its own. A last line without an end is noted.
  using Take = std::function<std::optional<std::string>(TableRow&)>;
  void read(std::string_view name, BadLines& bad, const Take& take);
  // The same, and `row`, which has come already, goes before it.
  void read_from(TableRow row, std::string_view name, BadLines& bad, const Take& take);
  // Notes a last line without an end, once all rows have been read.
  void end(std::string_view name, const BadLines& bad) const;

  // Where there are rows of two plain numbers, which is for `one` to see, they are read without
  // cells: it takes a row from the text between two pointers, and says where the next line starts,
  // or null for a row of any other kind.
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

  // Of a line in which nothing is quoted.
  TableRow plain_row(const Line& line);
  // A row with a problem that seems to begin with the line.
  TableRow broken_row(std::uint64_t line, std::string_view problem);

  Lines lines_;
  std::uint64_t last_ = 0;  // the line the row that came last starts with
  std::unique_ptr<Parser> parser_;
};

}  // namespace chirp::cli::input
