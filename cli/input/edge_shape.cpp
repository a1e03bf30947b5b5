#include "cli/input/edge_shape.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/fields.h"
#include "cli/input/graph_edges.h"
#include "cli/input/graph_files.h"
#include "cli/input/notations.h"

namespace chirp::cli::input {
namespace {

// Unix times, in seconds or milliseconds. Numbers between and above these ranges may be ids.
bool is_time(std::uint64_t number) {
  return (number >= 100'000'000 && number <= 5'000'000'000) ||
         (number >= 100'000'000'000 && number <= 5'000'000'000'000);
}

// The same, limited to the years since such services exist.
bool is_likely_time(std::uint64_t number) {
  constexpr std::uint64_t kYear2000 = 946'684'800;
  constexpr std::uint64_t kYear2040 = 2'208'988'800;
  return (number >= kYear2000 && number <= kYear2040) ||
         (number >= kYear2000 * 1000 && number <= kYear2040 * 1000);
}

struct ShapeRow {
  std::uint64_t line = 0;
  std::string_view text;
  std::vector<std::string_view> cells;
  std::vector<std::uint64_t> ids;  // the cells, if all of them are ids
};

ShapeRow row_of(std::string_view text, std::uint64_t line, char delimiter) {
  ShapeRow row{.line = line, .text = text, .cells = cells_of(text, delimiter), .ids = {}};
  for (const std::string_view cell : row.cells) {
    const auto id = parse_source_id(cell);
    if (!id) {
      row.ids.clear();
      break;
    }
    row.ids.push_back(id->value);
  }
  return row;
}

// The rows of a head, without a last one that may continue after it.
struct HeadRows {
  std::vector<ShapeRow> rows;
  std::string_view first;  // the row as written
  GraphBanner banner{};    // from the comments before it
  bool cut = false;        // the only row continues after the head
  bool unended = false;    // the text ends without a line end
  RoundedIds rounded{};    // ids of the first two columns
};

HeadRows rows_of(const EdgeHead& head) {
  HeadRows all;
  char delimiter = ' ';
  std::uint64_t number = 0;
  for (std::string_view rest = head.text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos && !head.whole && !all.rows.empty()) break;
    all.unended = end == std::string_view::npos && head.whole;
    all.cut = end == std::string_view::npos && !head.whole;
    const std::string_view line = trimmed(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    ++number;
    if (all.rows.empty() && is_comment(line)) read_banner(line, number == 1, all.banner);
    if (line.empty() || is_comment(line)) continue;
    if (all.rows.empty()) {
      all.first = line;
      delimiter = separator_in(line);
      if (delimiter == '\t') delimiter = ' ';  // blanks and tabs are treated alike
    }
    const ShapeRow& row = all.rows.emplace_back(row_of(line, number, delimiter));
    for (std::size_t i = 0; i < std::min<std::size_t>(row.cells.size(), 2); ++i) {
      all.rounded.see(row.cells[i]);
    }
  }
  return all;
}

// `81306,1342310,u,graph`: nodes, edges, and whether it is directed.
bool is_count_row(const ShapeRow& row) {
  return row.cells.size() >= 3 && parse_source_id(row.cells[0]) && parse_source_id(row.cells[1]) &&
         (row.cells[2] == "u" || row.cells[2] == "d");
}

// Whether all rows from `from` on have the same number of cells, in rows of numbers only. A last
// row without a line end may have fewer.
bool same_width(const HeadRows& all, std::size_t from) {
  const auto& rows = all.rows;
  for (std::size_t i = from; i < rows.size(); ++i) {
    const std::size_t width = rows[i].cells.size();
    const bool cut = all.unended && i + 1 == rows.size() && width < rows[from].cells.size();
    if (width != rows[from].cells.size() && !cut) return false;
  }
  return true;
}

// `3 3 2` above rows of two: nodes, nodes and edges.
bool is_size_row(const std::vector<ShapeRow>& rows, bool whole) {
  const auto& size = rows.front().ids;
  if (size.size() != 3 || rows[1].cells.size() != 2) return false;
  const std::uint64_t most = std::max(size[0], size[1]);
  const bool within = std::ranges::all_of(rows.begin() + 1, rows.end(), [&](const ShapeRow& row) {
    return row.ids[0] <= most && row.ids[1] <= most;
  });
  return within && (whole ? size[2] == rows.size() - 1 : size[2] >= rows.size());
}

// Detects `1,1300000000,41,42`: some value, a time, and the two users.
bool have_times_before_ids(const std::vector<ShapeRow>& rows) {
  return std::ranges::all_of(rows, [](const ShapeRow& row) {
    return row.ids.size() >= 4 && !is_likely_time(row.ids[0]) && is_likely_time(row.ids[1]) &&
           !is_likely_time(row.ids[2]) && !is_likely_time(row.ids[3]);
  });
}

std::vector<RowIds> numbers_of(const std::vector<ShapeRow>& rows) {
  std::vector<RowIds> numbers;
  numbers.reserve(rows.size());
  for (const ShapeRow& row : rows) numbers.emplace_back(row.ids);
  return numbers;
}

}  // namespace

ListRow list_row(std::string_view row) {
  const std::size_t stop = row.find_first_of(" \t");
  if (!parse_source_id(row.substr(0, stop))) return ListRow::kNo;
  if (stop == std::string_view::npos) return ListRow::kPerhaps;
  const std::string_view list = trimmed(row.substr(stop));
  if (list.empty()) return ListRow::kPerhaps;
  const auto ids = cells_of(list, ',');
  // The last id of an unfinished row may be cut off, and a list may end with a comma.
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!parse_source_id(ids[i]) && (i == 0 || i + 1 < ids.size())) return ListRow::kNo;
  }
  return ids.size() > 1 ? ListRow::kSure : ListRow::kPerhaps;
}

std::string edges_or_lists(std::string_view what) {
  return fmt::format(
      "{}: say --format adjacency if each row is a user and the users they follow, or --format "
      "snap if each row is an edge and further columns can be ignored",
      what);
}

namespace {

// Decides between an edge list and an adjacency list, for rows of numbers only.
void weigh_numbers(const HeadRows& all, bool whole, EdgeShape& shape) {
  const auto& rows = all.rows;
  std::size_t widest = 0;
  for (const ShapeRow& row : rows) widest = std::max(widest, row.cells.size());
  const std::size_t width = rows.front().cells.size();
  const std::vector<RowIds> numbers = numbers_of(rows);
  constexpr const char* kMetis =
      "this looks like METIS, which chirp does not read: write the file as an edge list, or say "
      "--format adjacency or snap if it is not METIS";
  if (keeps_to_metis(numbers, whole)) {
    shape.problem = kMetis;
    return;
  }
  if (same_width(all, 0)) {
    if (widest <= 2) return;
    const bool times = width == 4 && std::ranges::all_of(rows, [&](const ShapeRow& row) {
                         const bool whole_row = !all.unended || &row != &rows.back();
                         return !whole_row || is_time(row.ids[3]);
                       });
    if (width > 3 && !times) {
      shape.problem = edges_or_lists(fmt::format("rows of {} numbers can be either", width));
    }
    return;
  }
  if (same_width(all, 1) && is_size_row(rows, whole)) {
    shape.size_line = true;
  } else if (looks_like_metis(numbers, whole)) {
    shape.problem = kMetis;
  } else if (widest <= 2) {
    return;
  } else if (same_width(all, 1) && rows.size() > 2) {
    shape.problem = edges_or_lists("the first row is unlike the others");
  } else {
    shape.format = EdgeFormat::kAdjacency;
    shape.note = "rows of different lengths: each is read as a user and the users they follow";
  }
}

// Every row of the file must be such a list; a row that is cut off must be one up to the cut.
bool are_lists(const std::vector<ShapeRow>& rows) {
  bool any = false;
  for (const ShapeRow& row : rows) {
    const ListRow list = list_row(row.text);
    if (list == ListRow::kNo) return false;
    any = any || list == ListRow::kSure;
  }
  return any;
}

// Returns false if the text can't be read.
bool heed_banner(const HeadRows& all, EdgeShape& shape) {
  shape.size_line = all.banner.size_line;
  shape.undirected = all.banner.undirected;
  shape.problem = all.banner.problem;
  const auto& size = all.rows.front().ids;
  if (all.banner.square && size.size() > 1 && size[0] != size[1]) shape.problem = kBipartite;
  return shape.problem.empty();
}

bool is_any_number(std::string_view cell) {
  double value = 0;
  const char* const end = cell.data() + cell.size();
  return !cell.empty() && std::from_chars(cell.data(), end, value).ptr == end;
}

// Whether the first two cells are users. Without a header, the other cells must be numbers.
bool names_users(const ShapeRow& row, bool has_header) {
  if (row.cells.size() < 2) return false;
  for (std::size_t i = 0; i < (has_header ? 2 : row.cells.size()); ++i) {
    const std::string_view cell = row.cells[i];
    if (i >= 2 ? !is_any_number(cell) : !parse_source_id(cell) && !is_plain_word(cell)) {
      return false;
    }
    if (i < 2 && cell.ends_with(':')) return false;
  }
  return true;
}

bool is_word(const ShapeRow& row, std::size_t column) {
  return !parse_source_id(row.cells[column]);
}

// Whether one of the first two columns has a usual title, or a word above numbers only.
bool has_title(std::span<const ShapeRow> rows) {
  for (const std::size_t column : {std::size_t{0}, std::size_t{1}}) {
    const std::string_view title = rows.front().cells[column];
    if (post_field(title) || user_field(title) || names_person(title)) return true;
    if (rows.size() < 2 || !is_word(rows.front(), column)) continue;
    const auto below = rows.subspan(1);
    const bool numbers = std::ranges::all_of(below, [&](const ShapeRow& row) {
      return row.cells.size() > column && !is_word(row, column);
    });
    if (numbers) return true;
  }
  return false;
}

// `alice: bob carol`.
bool is_list_of_words(std::string_view row) {
  const std::size_t colon = row.find(':');
  return colon != std::string_view::npos && (colon + 1 == row.size() || is_blank(row[colon + 1]));
}

// Decides whether ids are words, and what separates them: most rows must be two ids with words
// among them. A row of two words may be prose as well, unless a comma or a tab separates them, or
// they do not look like prose.
void weigh_words(const HeadRows& all, IdKind kind, HeaderRow header, EdgeShape& shape) {
  std::span<const ShapeRow> rows = all.rows;
  const auto& first = rows.front().cells;
  shape.header = header == HeaderRow::kYes || (header == HeaderRow::kAuto && first.size() >= 2 &&
                                               header_of(first[0], first[1]) != Header::kUnknown);
  if (kind == IdKind::kWords) {
    shape.words = true;
    return;
  }
  if (shape.header) rows = rows.subspan(1);
  const bool blanks = shape.delimiter == ' ' || shape.delimiter == '\t';
  std::size_t of_words = 0;
  for (const ShapeRow& row : rows) {
    if (!names_users(row, shape.header)) continue;
    if (is_word(row, 0) || is_word(row, 1)) ++of_words;
  }
  if (of_words * 2 <= rows.size()) return;
  if (header == HeaderRow::kAuto && !shape.header &&
      (!names_users(rows.front(), false) || has_title(rows))) {
    return;
  }
  const auto is_odd = [](const ShapeRow& row) {
    return row.cells.size() >= 2 && std::ranges::all_of(row.cells, [](std::string_view cell) {
             return cell.find_first_of("@0123456789_") != std::string_view::npos;
           });
  };
  const bool parted = !blanks || shape.delimiter == '\t' || shape.header;
  shape.words = parted || std::ranges::all_of(rows, is_odd);
}

}  // namespace

EdgeShape shape_of(const EdgeHead& head, EdgeFormat format, IdKind kind, HeaderRow header) {
  EdgeShape shape{.format = format};
  const HeadRows all = rows_of(head);
  const auto& [rows, first, banner, cut, unended, rounded] = all;
  if (rows.empty()) return shape;
  shape.line = rows.front().line;
  if (!heed_banner(all, shape)) return shape;
  shape.delimiter = separator_in(first);
  const bool blanks = shape.delimiter == ' ' || shape.delimiter == '\t';
  const bool is_edge = rows.front().cells.size() >= 2 && parse_source_id(rows.front().cells[0]) &&
                       parse_source_id(rows.front().cells[1]);
  shape.colons = first.find(':') != std::string_view::npos && !is_edge;
  if (format == EdgeFormat::kAdjacency) {
    shape.words = kind == IdKind::kWords;
    if (shape.words) shape.colons = is_list_of_words(first);
    return shape;
  }
  if (kind != IdKind::kNumbers && !is_count_row(rows.front()))
    weigh_words(all, kind, header, shape);
  if (shape.words && format == EdgeFormat::kAuto && !is_list_of_words(first)) {
    shape.format = shape.delimiter == ' ' ? EdgeFormat::kSnap : EdgeFormat::kCsv;
    shape.colons = false;
    if (blanks && !shape.header && !same_width(all, 0)) {
      shape.problem = edges_or_lists("rows of different lengths can be either");
    }
    return shape;
  }
  if (shape.words) {
    if (format == EdgeFormat::kAuto) shape.format = EdgeFormat::kAdjacency;
    return shape;
  }
  shape.header = false;
  if (format == EdgeFormat::kAuto) {
    shape.format = shape.colons        ? EdgeFormat::kAdjacency
                   : blanks && is_edge ? EdgeFormat::kSnap
                                       : EdgeFormat::kCsv;
  }
  if (format == EdgeFormat::kAuto && are_lists(rows)) {
    shape.format = EdgeFormat::kAdjacency;
    shape.lists = true;
    return shape;
  }
  if (is_count_row(rows.front())) {
    shape.size_line = true;
    shape.undirected = shape.undirected || rows.front().cells[2] == "u";
  }
  const bool numbers = std::ranges::all_of(rows, [](auto& row) { return !row.ids.empty(); });
  if (numbers && format == EdgeFormat::kAuto && have_times_before_ids(rows)) {
    shape.problem =
        "the second column looks like times, and two columns of ids follow it: name the columns of "
        "the users with --columns, such as --columns -,-,from,to";
    return shape;
  }
  shape.rounded = rounded.warning();
  // Rows of tables, with commas, may have any length.
  if (numbers && blanks && !shape.size_line && format == EdgeFormat::kAuto) {
    if (cut && rows.size() == 1) {
      shape.format = EdgeFormat::kAdjacency;  // no table has so many columns
    } else {
      weigh_numbers(all, head.whole, shape);
      if (shape.format == EdgeFormat::kSnap) {
        for (std::size_t i = shape.size_line ? 1 : 0; i < rows.size(); ++i) {
          shape.widest = std::max(shape.widest, rows[i].cells.size());
        }
      }
    }
  }
  return shape;
}

Understood understood(const EdgeShape& shape, EdgeFormat asked,
                      std::span<const std::string_view> first_row) {
  if (shape.format == EdgeFormat::kAdjacency) {
    const bool sure = asked == EdgeFormat::kAdjacency || shape.colons || shape.lists;
    return {
        .format = "adjacency list",
        .separator = shape.lists ? "blanks and ," : separator_name(shape.delimiter),
        .columns = {"follower", "followee", "…"},
        .choice = sure ? ""
                       : "rows are of different lengths, so each is read as a user and the users "
                         "they follow; --format snap reads the first two of each as an edge"};
  }
  const bool csv = shape.format == EdgeFormat::kCsv;
  Understood what{
      .format = csv ? "CSV edge list" : "SNAP edge list",
      .separator = separator_name(csv || shape.delimiter == '\t' ? shape.delimiter : ' '),
      .columns = {"follower", "followee"},
      .choice = {}};
  if (!shape.size_line && first_row.size() > 2) what.columns.resize(first_row.size(), "-");
  if (shape.widest > 2 && asked == EdgeFormat::kAuto) {
    what.choice = fmt::format(
        "rows of {} numbers are read as an edge with a weight{}; --format adjacency reads each as "
        "a user and the users they follow",
        shape.widest, shape.widest > 3 ? " and a time" : "");
  }
  return what;
}

}  // namespace chirp::cli::input
