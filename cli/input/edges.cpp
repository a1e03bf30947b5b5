#include "cli/input/edges.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cli/input/adjacency.h"
#include "cli/input/cells.h"
#include "cli/input/edge_shape.h"
#include "cli/input/fields.h"
#include "cli/input/notations.h"
#include "cli/input/other_formats.h"
#include "cli/input/table_rows.h"
#include "cli/input/ties.h"
#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

constexpr std::size_t kSniffLines = 50;  // of a member's head
constexpr std::size_t kColumnsMax = 8;   // more are a table of something else

bool is_edge(std::string_view line, char delimiter, IdKind kind) {
  const auto cells = cells_of(line, delimiter);
  const auto is_id = [kind](std::string_view cell) {
    return parse_source_id(cell) || (kind == IdKind::kWords && is_plain_word(cell));
  };
  return cells.size() >= 2 && is_id(cells[0]) && is_id(cells[1]);
}

class EdgeReader {
 public:
  EdgeReader(TextBuffer& buffer, std::string_view name, const EdgeTable& table, BadLines& bad,
             const EdgeSink& sink)
      : buffer_(buffer),
        name_(name),
        table_(table),
        bad_(bad),
        sink_(sink),
        columns_(table.layout, sink.ids),
        run_(sink) {}

  std::uint64_t read() {
    if (columns_.are_said()) {
      shape_ = {.format = EdgeFormat::kCsv};
      separator_ = table_.layout.separator;
    } else {
      settle();
    }
    if (shape_.format == EdgeFormat::kAdjacency) {
      return read_adjacency(buffer_, name_, shape_, table_.format, bad_, sink_);
    }
    TableRows rows(buffer_, {.separator = separator_, .cells = TableStyle::Cells::kWords});
    rows_ = &rows;
    for (;;) {
      if (fast_) read_numbers();
      const auto row = rows.next();
      if (!row) break;
      const auto problem = row->problem.empty() ? take_row(*row) : std::optional(row->problem);
      if (!problem) continue;
      run_.flush();  // first deliver the edges read before this row
      bad_.add({name_, row->line}, *problem);
    }
    const std::uint64_t count = run_.end();
    rows.end(name_, bad_);
    return count;
  }

 private:
  // Detects the format from the start of the text.
  void settle() {
    const std::string_view unread = edges_head(buffer_);
    shape_ = shape_of({unread.substr(0, kShapeBytes), unread.size() <= kShapeBytes}, table_.format,
                      sink_.ids.kind(), table_.layout.header);
    if (!shape_.problem.empty()) {
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}:{}: {}", name_, shape_.line, shape_.problem));
    }
    if (!shape_.note.empty()) note(shape_.line, shape_.note);
    if (!shape_.rounded.empty()) note(shape_.line, shape_.rounded);
    if (shape_.undirected) run_.note_undirected({name_, shape_.line}, bad_);
    columns_.set_words(shape_.words);
    separator_ = shape_.format == EdgeFormat::kCsv ? shape_.delimiter : ' ';
  }

  void read_numbers() {
    rows_->read_numbers(
        [this](const char* at, const char* end) { return fast_row(at, end, *fast_); });
  }

  // Parses a row of two numbers. Returns the start of the next line, or null for another row.
  const char* fast_row(const char* at, const char* end, char parted_by) {
    std::uint64_t follower = 0;
    std::uint64_t followee = 0;
    const auto first = std::from_chars(at, end, follower);
    if (*at == '0' && first.ptr != at + 1) return nullptr;  // `007` is a different id from `7`
    if (first.ec != std::errc{} || first.ptr == end || *first.ptr != parted_by) {
      return nullptr;
    }
    const auto second = std::from_chars(first.ptr + 1, end, followee);
    if (second.ec != std::errc{} || ((follower | followee) >> 63) != 0) return nullptr;
    if (first.ptr[1] == '0' && second.ptr != first.ptr + 2) return nullptr;
    const char* stop = second.ptr;
    if (stop != end && *stop == '\r') ++stop;
    if (stop != end && *stop != '\n') {
      if (*stop != parted_by || !wider_) return nullptr;
      const char* const rest = stop;
      stop =
          static_cast<const char*>(std::memchr(stop, '\n', static_cast<std::size_t>(end - stop)));
      if (stop == nullptr) stop = end;
      if (std::memchr(rest, '"', static_cast<std::size_t>(stop - rest)) != nullptr) return nullptr;
      if (shape_.widest > 0) {
        const auto more = static_cast<std::size_t>(std::count_if(rest, stop, is_blank));
        if (more + 2 > shape_.widest) return nullptr;
      }
    }
    run_.put({SourceId{follower}, SourceId{followee}});
    return stop == end ? end : stop + 1;
  }

  std::optional<std::string> take_row(const TableRow& row) {
    const bool first = !std::exchange(begun_, true);
    if (columns_.are_said()) {
      if (!columns_.begin(row, {name_, row.line}, bad_)) return std::nullopt;
      if (!std::exchange(told_, true)) tell(columns_.understood("table of edges", separator()));
      if (auto problem = columns_.width_problem(row.cells)) return *problem + found(row);
    } else if (first) {
      bool no_edge = false;
      auto problem = first_row(row, no_edge);
      tell(columns_.has_moved() ? columns_.understood("CSV edge list", separator())
                                : understood(shape_, table_.format, row.cells));
      if (no_edge) return problem;
    }
    const auto edge = columns_.users(row.cells);
    if (!edge) return columns_.expected() + found(row);
    if (auto problem = too_wide(row)) return problem;
    if (!wider_) note_width(row);
    const bool says = type_ && *type_ < row.cells.size();
    run_.put({edge->first, edge->second},
             says ? direction_named(row.cells[*type_]) : EdgeDirection::kUnsaid, {name_, row.line},
             bad_);
    return std::nullopt;
  }

  [[nodiscard]] char separator() const { return rows_->separator(); }
  void tell(Understood&& what) const {
    if (sink_.understood) sink_.understood(std::move(what));
  }
  static std::string found(const TableRow& row) {
    return fmt::format(", found \"{}\"", printable(trimmed(row.text)));
  }

  // Sets `no_edge` if the first row is not an edge. Decides which rows the fast path may read.
  std::optional<std::string> first_row(const TableRow& row, bool& no_edge) {
    no_edge = true;
    if (shape_.words) {
      no_edge = shape_.header;
      return no_edge ? header_problem(row) : std::nullopt;
    }
    const HeaderRow said = table_.layout.header;
    // SNAP files use any blanks between ids, but mostly the same one throughout.
    fast_ = shape_.format == EdgeFormat::kCsv ? separator() : shape_.delimiter == '\t' ? '\t' : ' ';
    if (shape_.size_line) return std::nullopt;
    no_edge =
        said == HeaderRow::kYes || (said == HeaderRow::kAuto && shape_.format == EdgeFormat::kCsv &&
                                    !columns_.users(row.cells));
    auto problem = no_edge ? header_problem(row) : std::nullopt;
    if (columns_.has_moved() || type_) fast_.reset();
    return problem;
  }

  // Returns what is wrong with a row that is in the place of a header and does not name two users.
  std::optional<std::string> header_problem(const TableRow& row) {
    const Header header =
        row.cells.size() < 2 ? Header::kUnknown : header_of(row.cells[0], row.cells[1]);
    if (header == Header::kReversed) {
      // All later rows would be wrong, too.
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}:{}: the header has the followee first: an edge list's columns "
                              "are follower, then followee",
                              name_, row.line));
    }
    if (header == Header::kKnown || columns_.find_in(row.cells) ||
        table_.layout.header == HeaderRow::kYes) {
      wider_ = true;  // the header names the columns, so no note about them
      find_type(row);
      return std::nullopt;
    }
    return fmt::format(
        "expected two ids (whole numbers from 0 to 9223372036854775807), or a header such as "
        "follower,followee or source,target{}{}",
        found(row), columns_hint(row));
  }

  // How to load a table whose columns have other names.
  [[nodiscard]] std::string columns_hint(const TableRow& row) const {
    if (row.cells.size() < 2 || separator() == ' ') return {};
    return fmt::format(
        "; if the row names columns, --columns from=COLUMN,to=COLUMN says which of {} are users",
        fields_found(row.text));
  }

  // Finds Gephi's column of directions.
  void find_type(const TableRow& header) {
    for (std::size_t i = 0; i < header.cells.size(); ++i) {
      if (plain_name(header.cells[i]) == "type") type_ = i;
    }
  }

  // A row longer than those at the start, which looked like edges, may be a user's list.
  [[nodiscard]] std::optional<std::string> too_wide(const TableRow& row) const {
    if (shape_.widest == 0 || row.cells.size() <= shape_.widest) return std::nullopt;
    return edges_or_lists(fmt::format("the row has {} numbers, and those at the start {}",
                                      row.cells.size(), shape_.widest));
  }

  // Notes once that further columns are ignored.
  void note_width(const TableRow& row) {
    if (columns_.are_said() || row.cells.size() <= 2) return;
    wider_ = true;
    note(row.line, "an edge is the first two columns; further columns are ignored");
  }
  void note(std::uint64_t line, std::string_view what) const { bad_.note({name_, line}, what); }

  TextBuffer& buffer_;
  std::string_view name_;
  const EdgeTable& table_;
  BadLines& bad_;
  const EdgeSink& sink_;
  TieColumns columns_;
  EdgeRun run_;
  TableRows* rows_ = nullptr;
  EdgeShape shape_;
  std::optional<char> separator_;  // between cells
  std::optional<char> fast_;  // separator between the two ids on the fast path; empty: not used
  std::optional<std::size_t> type_;  // the column that says whether an edge is directed
  bool begun_ = false;               // whether a row has been read
  bool told_ = false;                // whether the format has been reported
  bool wider_ = false;               // whether there are more than two columns
};

}  // namespace

std::string_view edges_head(TextBuffer& buffer) {
  while (buffer.unread().size() <= kShapeBytes && buffer.fill() == TextBuffer::Filled::kMore) {
    continue;
  }
  return buffer.unread();
}

bool looks_like_edges(std::string_view head, IdKind kind, const TableLayout& layout) {
  TieColumns said(layout, kind);
  std::optional<char> separator = layout.separator;
  bool first = true;
  for (std::size_t lines = 0; lines < kSniffLines && !head.empty(); ++lines) {
    const std::size_t end = head.find('\n');
    const std::string_view line = trimmed(head.substr(0, end));
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    if (line.empty() || is_comment(line)) continue;
    if (said.are_said()) {
      if (!separator) separator = separator_in(line);
      const auto cells = cells_of(line, *separator);
      if (std::exchange(first, false) && !said.is_data(cells)) {
        if (said.has(Field::kTo)) continue;
        return false;
      }
      return said.name_users(cells);
    }
    if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
      if (parse_source_id(line.substr(0, colon))) return true;
      if (kind != IdKind::kWords) return false;
    }
    if (list_row(line) == ListRow::kSure) return true;
    const char found = separator_in(line);
    const char parted = found == '\t' ? ' ' : found;
    if (cells_of(line, parted).size() > kColumnsMax) return false;
    if (is_edge(line, parted, kind)) return true;
  }
  return false;
}

std::uint64_t read_edges(TextBuffer& buffer, std::string_view name, const EdgeTable& table,
                         BadLines& bad, const EdgeSink& sink) {
  return EdgeReader(buffer, name, table, bad, sink).read();
}

}  // namespace chirp::cli::input
