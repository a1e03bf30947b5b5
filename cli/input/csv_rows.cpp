#include "cli/input/csv_rows.h"

#include <algorithm>
#include <new>

#include <csv.h>

#include "cli/input/encoding.h"
#include "cli/input/notations.h"

namespace chirp::cli::input {
namespace {

// Blanks belong to their cell, and only a line feed ends a row.
int no_space(unsigned char /*c*/) { return 0; }
int is_line_feed(unsigned char c) { return c == '\n' ? 1 : 0; }

}  // namespace

struct CsvRows::Parser {
  csv_parser csv{};
  std::string text;  // of the cells of the row, one after the other
  std::vector<std::size_t> ends;
  std::vector<std::string_view> cells;
  std::uint64_t started = 0;  // the line the open row starts with; 0: none is open
  std::size_t bytes = 0;      // of the open row so far
  bool complete = false;
  std::uint64_t bad_line = 0;
  std::string bad_text;
  RowStyle style{};
  bool begun = false;    // the separator is known
  char separator = ',';  // of cells

  ~Parser() {
    if (begun && has_quotes()) csv_free(&csv);
  }

  [[nodiscard]] bool has_quotes() const { return style.plain_cells == 0; }

  void begin(std::string_view first_row) {
    separator = style.separator ? *style.separator : csv_delimiter(first_row);
    begun = true;
    if (!has_quotes()) return;
    const bool tabs = separator == '\t';
    const unsigned options = CSV_STRICT_FINI | (tabs ? 0u : unsigned{CSV_STRICT});
    if (csv_init(&csv, static_cast<unsigned char>(options)) != 0) throw std::bad_alloc();
    csv_set_delim(&csv, static_cast<unsigned char>(separator));
    csv_set_space_func(&csv, no_space);
    csv_set_term_func(&csv, is_line_feed);
  }
  // Whether the line is a row of its own in which nothing is quoted.
  [[nodiscard]] bool is_plain(const Line& line) const {
    if (!has_quotes()) return true;
    return started == 0 && line.kind == LineKind::kWhole && line.text.size() < kRecordMax &&
           line.text.find('"') == std::string_view::npos;
  }
  // The cells of such a line.
  void split(std::string_view line) {
    cells.clear();
    while (has_quotes() || cells.size() + 1 < style.plain_cells) {
      const std::size_t end = line.find(separator);
      if (end == std::string_view::npos) break;
      cells.push_back(line.substr(0, end));
      line.remove_prefix(end + 1);
    }
    cells.push_back(line);
  }
  // Forgets the open row.
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
  // True if the library is content.
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

char csv_delimiter(std::string_view first_row) {
  char best = ',';
  std::ptrdiff_t most = 0;
  for (const char c : {',', '\t', ';', '|'}) {
    const auto found = std::ranges::count(first_row, c);
    if (found > most) {
      best = c;
      most = found;
    }
  }
  return best;
}

CsvRows::CsvRows(TextBuffer& buffer, const RowStyle& style)
    : lines_(buffer), parser_(std::make_unique<Parser>()) {
  parser_->style = style;
}
CsvRows::~CsvRows() = default;

char CsvRows::separator() const { return parser_->separator; }

std::optional<CsvRow> CsvRows::next() {
  Parser& p = *parser_;
  p.reset();
  while (const auto line = lines_.next()) {
    const bool open = p.started != 0;
    if (!open && line->kind == LineKind::kWhole && trimmed(line->text).empty()) continue;
    if (!p.begun) p.begin(line->text);
    if (p.is_plain(*line)) return plain_row(*line);
    if (!open) p.started = line->number;
    p.bytes += line->text.size() + 1;

    p.look_at(*line);

    std::string_view problem;
    if (line->kind == LineKind::kTooLong || p.bytes > kRecordMax) {
      problem = "the row is longer than 1 MiB: is a closing quote missing?";
    } else if (!p.feed(line->text) || !p.feed("\n")) {
      problem = "a quote stands where none may: inside a cell, or followed by text";
    } else if (!p.complete) {
      continue;  // a quoted cell goes on in the next line
    }
    CsvRow row{.line = p.started,
               .cells = {},
               .problem = std::string(problem),
               .bad_line = p.bad_line,
               .bad_text = p.bad_text};
    if (problem.empty()) {
      row.cells = p.views();
    } else {
      p.restart();
    }
    return row;
  }
  return finish();
}

CsvRow CsvRows::plain_row(const Line& line) {
  Parser& p = *parser_;
  p.look_at(line);
  p.split(line.text);
  const bool too_long = line.kind == LineKind::kTooLong;
  return {.line = line.number,
          .cells = p.cells,
          .problem = too_long ? "the line is longer than 1 MiB" : "",
          .bad_line = p.bad_line,
          .bad_text = p.bad_text};
}

std::optional<CsvRow> CsvRows::finish() {
  Parser& p = *parser_;
  if (p.started == 0) return std::nullopt;
  const std::uint64_t line = p.started;
  p.restart();
  return CsvRow{.line = line,
                .cells = {},
                .problem = "the closing quote of this row is missing",
                .bad_line = 0,
                .bad_text = {}};
}

}  // namespace chirp::cli::input
