#include "cli/input/ties.h"

#include <array>

#include <fmt/format.h>

#include "cli/input/edge_header.h"
#include "cli/input/notations.h"

namespace chirp::cli::input {

TieColumns::TieColumns(const Layout& layout, const IdCells& ids, IdKind kind)
    : layout_(layout),
      ids_(ids),
      kind_(kind),
      columns_(Columns::named(layout.columns.empty()
                                  ? std::vector<std::optional<Field>>{Field::kFrom, Field::kTo}
                                  : layout.columns)),
      words_(kind == IdKind::kWords) {}

bool TieColumns::is_header(Cells cells) const {
  return names_follower(cell(cells, Field::kFrom)) && names_followee(cell(cells, Field::kTo));
}

bool TieColumns::begin(const TableRow& row, const Place& place, const BadLines& bad) {
  if (std::exchange(first_, false) && is_header(row.cells)) {
    bad.note(place, "the first row is taken for a header and left out");
    return false;
  }
  if (std::exchange(begun_, true)) return true;
  words_ = words_ || (kind_ == IdKind::kAuto && name_users(row.cells) &&
                      (!parse_source_id(cell(row.cells, Field::kFrom)) ||
                       !parse_source_id(cell(row.cells, Field::kTo))));
  return true;
}

std::optional<SourceId> TieColumns::user(std::string_view cell) const {
  return words_ ? ids_.user(cell) : parse_source_id(cell);
}

std::optional<std::pair<SourceId, SourceId>> TieColumns::users(Cells cells) const {
  const auto from = user(cell(cells, Field::kFrom));
  const auto to = from ? user(cell(cells, Field::kTo)) : std::nullopt;
  return to ? std::optional(std::pair(*from, *to)) : std::nullopt;
}

bool TieColumns::name_users(Cells cells) const {
  const auto is_id = [this](std::string_view cell) {
    return parse_source_id(cell) || (kind_ != IdKind::kNumbers && is_plain_word(cell));
  };
  return is_id(cell(cells, Field::kFrom)) && is_id(cell(cells, Field::kTo));
}

std::optional<std::string> TieColumns::width_problem(Cells cells) const {
  if (!are_said() || cells.size() == layout_.columns.size()) return std::nullopt;
  return fmt::format("the row has {} cells, and {} columns are named", cells.size(),
                     layout_.columns.size());
}

std::string TieColumns::expected() const {
  if (!are_said()) return fmt::format("expected two ids ({})", ids_said());
  return fmt::format("expected two ids ({}) in columns {} and {}", ids_said(),
                     *columns_.place(Field::kFrom) + 1, *columns_.place(Field::kTo) + 1);
}

Understood TieColumns::understood(std::string_view format, char separator) const {
  Understood what{
      .format = std::string(format), .separator = separator_name(separator), .columns = {}};
  for (const auto& column : layout_.columns) {
    what.columns.emplace_back(!column                        ? "-"
                              : *column == Field::kCreatedAt ? "time"
                                                             : field_name(*column));
  }
  return what;
}

}  // namespace chirp::cli::input
