#include "cli/input/table_cells.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/encoding.h"
#include "cli/input/notations.h"
#include "cli/input/posts.h"
#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::input {

bool are_utf8(const TableRow& row, const Columns& columns) {
  return std::ranges::none_of(
      std::array{Field::kText, Field::kUsername, Field::kDisplayName, Field::kBio,
                 Field::kAltTexts},
      [&](Field field) { return no_utf8(columns.cell(row.cells, field)).has_value(); });
}

std::optional<std::string> unnamed_cells(const TableRow& row, std::size_t width) {
  for (std::size_t i = width; width > 0 && i < row.cells.size(); ++i) {
    if (trimmed(row.cells[i]).empty()) continue;
    return fmt::format("the row has {} cells, and {} columns are named", row.cells.size(), width);
  }
  return std::nullopt;
}

std::string without_at(std::string_view name) {
  name = trimmed(name);
  if (name.starts_with('@')) name.remove_prefix(1);
  return std::string(name);
}

bool may_be_names(TextBuffer& buffer) {
  const std::string_view text = trimmed(buffer.unread());
  const std::string_view first = text.substr(0, text.find('\n'));
  const auto cells = cells_of(first, separator_in(first));
  const Columns columns = Columns::of_users(cells);
  return columns.has(Field::kAuthorId) && columns.has(Field::kUsername);
}

std::uint64_t read_names(TextBuffer& buffer, std::string_view name, BadLines& bad,
                         const std::function<void(load::SourceUser&&)>& sink, const IdCells& ids) {
  TableRows rows(buffer);
  const auto header = rows.next();
  if (!header) return 0;
  const Columns columns = Columns::of_users(header->cells);
  if (!columns.has(Field::kAuthorId) || !columns.has(Field::kUsername)) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}:{}: the header of a table of names has to have id and name (or "
                            "screen_name, username, handle)",
                            name, header->line));
  }
  std::uint64_t count = 0;
  rows.read(name, bad, [&](TableRow& row) -> std::optional<std::string> {
    const auto cell = [&](Field field) { return columns.cell(row.cells, field); };
    if (auto problem = unnamed_cells(row, columns.width())) return problem;
    if (row.bad_line != 0 && !are_utf8(row, columns)) {
      row.line = row.bad_line;
      return row.bad_text;
    }
    const auto id = ids.any(cell(Field::kAuthorId));
    if (!id) {
      return fmt::format("the id \"{}\" is {}", printable(cell(Field::kAuthorId), 40),
                         ids.expected_user());
    }
    std::string problem;
    const Audience posts = columns.audience(row.cells, problem);
    if (!problem.empty()) return problem;
    ++count;
    sink({.id = *id,
          .username = without_at(cell(Field::kUsername)),
          .display_name = std::string(cell(Field::kDisplayName)),
          .bio = std::string(cell(Field::kBio)),
          .is_protected = posts != Audience::kPublic});
    return std::nullopt;
  });
  return count;
}

}  // namespace chirp::cli::input
