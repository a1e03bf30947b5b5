#include "cli/input/table_rows.h"

#include <algorithm>
#include <new>
#include <utility>

#include <csv.h>

#include "cli/input/cells.h"
#include "cli/input/encoding.h"
#include "cli/input/notations.h"

namespace chirp::cli::input {
namespace {

// Blanks are part of text cells, and only a line feed ends a row.
int no_space(unsigned char /*c*/) { return 0; }
int is_line_feed(unsigned char c) { return c == '\n' ? 1 : 0; }

}  // namespace

struct TableRows::Parser {
  csv_parser csv{};
  std::string text;  // the row's cells, concatenated
  std::vector<std::size_t> ends;
  std::vector<std::string_view> cells;
  std::uint64_t started = 0;  // first line of the open row; 0: no row is open
  std::size_t bytes = 0;      // size of the open row so far
  bool complete = false;
  std::uint64_t bad_line = 0;
  std::string bad_text;
  TableStyle style{};
  bool begun = false;    // whether the separator is known
  char separator = ',';  // of cells

  ~Parser() {
    if (begun && has_quotes()) csv_free(&csv);
  }

  [[nodiscard]] bool has_quotes() const { return style.plain_cells == 0 && separator != ' '; }
  [[nodiscard]] bool is_of_words() const { return style.cells == TableStyle::Cells::kWords; }

  void begin(std::string_view first_row) {
    separator = style.separator ? *style.separator : separator_in(first_row);
    begun = true;
    if (!has_quotes()) return;
    const bool tabs = separator == '\t' && !is_of_words();
    const unsigned options = CSV_STRICT_FINI | (tabs ? 0u : unsigned{CSV_STRICT});
    if (csv_init(&csv, static_cast<unsigned char>(options)) != 0) throw std::bad_alloc();
    csv_set_delim(&csv, static_cast<unsigned char>(separator));
    csv_set_space_func(&csv, is_of_words() ? nullptr : no_space);
    csv_set_term_func(&csv, is_line_feed);
  }
  // Whether the line is a whole row without quotes.
  [[nodiscard]] bool is_plain(const Line& line) const {
    if (!has_quotes()) return true;
    return started == 0 && line.kind == LineKind::kWhole && line.text.size() < kRecordMax &&
           line.text.find('"') == std::string_view::npos;
  }
  // Splits such a line into cells.
  void split(std::string_view line) {
    if (is_of_words() || separator == ' ') {
      cells = cells_of(line, separator);
      return;
    }
    cells.clear();
    while (has_quotes() || cells.size() + 1 < style.plain_cells) {
      const std::size_t end = line.find(separator);
      if (end == std::string_view::npos) break;
      cells.push_back(line.substr(0, end));
      line.remove_prefix(end + 1);
    }
    cells.push_back(line);
  }
  // Discards the open row.
  void restart() {
    csv_fini(&csv, nullptr, nullptr, nullptr);
    reset();
  }
  void reset() {
    text.clear();
    ends.clear();
    started = 0;
    bytes = 0;
    complete = false;
    bad_line = 0;
    bad_text.clear();
  }
  void look_at(const Line& line) {
    if (bad_line != 0) return;
    if (auto wrong = no_utf8(line.text)) {
      bad_line = line.number;
      bad_text = std::move(wrong->words);
    }
  }
  // False if the library reports an error.
  bool feed(std::string_view piece) {
    return csv_parse(&csv, piece.data(), piece.size(), take_cell, take_row, this) == piece.size();
  }
  std::span<const std::string_view> views() {
    cells.clear();
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      cells.push_back(std::string_view(text).substr(begin, end - begin));
      begin = end;
    }
    return cells;
  }

  static void take_cell(void* data, std::size_t size, void* parser) {
    auto& p = *static_cast<Parser*>(parser);
    if (data != nullptr) p.text.append(static_cast<const char*>(data), size);
    p.ends.push_back(p.text.size());
  }
  static void take_row(int /*c*/, void* parser) { static_cast<Parser*>(parser)->complete = true; }
};

TableRows::TableRows(TextBuffer& buffer, const TableStyle& style)
    : lines_(buffer), parser_(std::make_unique<Parser>()) {
  parser_->style = style;
}
TableRows::~TableRows() = default;

char TableRows::separator() const { return parser_->separator; }

std::optional<TableRow> TableRows::next() {
  Parser& p = *parser_;
  p.reset();
  lines_.release();
  while (const auto line = lines_.next()) {
    const bool open = p.started != 0;
    if (!open && line->kind == LineKind::kWhole) {
      const std::string_view text = trimmed(line->text);
      if (text.empty() || (p.is_of_words() && is_comment(text))) continue;
    }
    if (!p.begun) p.begin(line->text);
    if (p.is_plain(*line)) return plain_row(*line);
    if (!open) {
      if (line->kind == LineKind::kTooLong) {
        return broken_row(line->number,
                          "the row is longer than 1 MiB: is a closing quote missing?");
      }
      p.started = line->number;
      lines_.keep();
    }
    p.bytes += line->text.size() + 1;
    p.look_at(*line);
    if (line->kind == LineKind::kTooLong || p.bytes > kRecordMax) {
      return broken_row(p.started, "the row is longer than 1 MiB: is a closing quote missing?");
    }
    if (!p.feed(line->text) || !p.feed("\n")) {
      return broken_row(p.started, "unexpected quote: inside a cell, or followed by text");
    }
    if (!p.complete) continue;  // a quoted cell continues in the next line
    last_ = p.started;
    return TableRow{.line = p.started,
                    .cells = p.views(),
                    .text = open ? std::string_view() : line->text,
                    .problem = {},
                    .bad_line = p.bad_line,
                    .bad_text = p.bad_text};
  }
  if (p.started == 0) return std::nullopt;
  return broken_row(p.started, "the closing quote of this row is missing");
}

TableRow TableRows::plain_row(const Line& line) {
  Parser& p = *parser_;
  p.look_at(line);
  p.split(line.text);
  last_ = line.number;
  const bool too_long = line.kind == LineKind::kTooLong;
  return {.line = line.number,
          .cells = p.cells,
          .text = line.text,
          .problem = too_long ? "the line is longer than 1 MiB" : "",
          .bad_line = p.bad_line,
          .bad_text = p.bad_text};
}

TableRow TableRows::broken_row(std::uint64_t line, std::string_view problem) {
  Parser& p = *parser_;
  if (p.started != 0) {
    const Line first = lines_.back();
    p.restart();
    if (p.is_of_words()) return plain_row(first);
  }
  last_ = line;
  return {.line = line,
          .cells = {},
          .text = {},
          .problem = std::string(problem),
          .bad_line = 0,
          .bad_text = {}};
}

void TableRows::read(std::string_view name, BadLines& bad, const Take& take) {
  if (auto row = next()) read_from(*std::move(row), name, bad, take);
}

void TableRows::read_from(TableRow row, std::string_view name, BadLines& bad, const Take& take) {
  for (std::optional<TableRow> one(std::move(row)); one; one = next()) {
    const auto problem = one->problem.empty() ? take(*one) : std::optional(one->problem);
    if (problem) bad.add({name, one->line}, *problem);
  }
  end(name, bad);
}

void TableRows::end(std::string_view name, const BadLines& bad) const {
  if (lines_.unended() && last_ > 1) bad.note({name, last_}, kUnended);
}

}  // namespace chirp::cli::input
