#include "cli/input/ties.h"

#include <fmt/format.h>

#include "cli/input/fields.h"
#include "cli/input/notations.h"
#include "core/error.h"

namespace chirp::cli::input {

TieColumns::TieColumns(const TableLayout& layout, const IdCells& ids, IdKind kind)
    : layout_(layout),
      ids_(ids),
      kind_(kind),
      columns_(Columns::named(layout.columns.empty()
                                  ? std::vector<std::optional<Field>>{Field::kFrom, Field::kTo}
                                  : layout.columns)),
      width_(layout.columns.size()),
      words_(kind == IdKind::kWords) {}

bool TieColumns::is_header(Cells cells) const {
  return names_follower(cell(cells, Field::kFrom)) && names_followee(cell(cells, Field::kTo));
}

bool TieColumns::is_data(Cells cells) {
  if (!are_named()) {
    return layout_.header == HeaderRow::kNo ||
           (layout_.header == HeaderRow::kAuto && !is_header(cells));
  }
  try {
    columns_ = Columns::of_ties(cells, layout_.named);
  } catch (const Error&) {
    columns_ = {};
  }
  return false;
}

bool TieColumns::find_in(Cells header) {
  for (std::size_t i = 0; i + 1 < header.size(); ++i) {
    if (!names_follower(header[i]) || !names_followee(header[i + 1])) continue;
    std::vector<std::optional<Field>> columns(header.size());
    columns[i] = Field::kFrom;
    columns[i + 1] = Field::kTo;
    columns_ = Columns::named(columns);
    width_ = header.size();
    return true;
  }
  return false;
}

bool TieColumns::begin(const TableRow& row, const InputPlace& place, const BadLines& bad) {
  const bool first = std::exchange(first_, false);
  if (first && are_named()) {
    columns_ = Columns::of_ties(row.cells, layout_.named);
    width_ = row.cells.size();
    return false;
  }
  if (first && !is_data(row.cells)) {
    bad.note(place, "the first row is read as a header and skipped");
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
  if (!are_said() || cells.size() == width_) return std::nullopt;
  return fmt::format("the row has {} cells, and {} columns are named", cells.size(), width_);
}

std::string TieColumns::expected() const {
  if (!are_said()) return fmt::format("expected two ids ({})", ids_said());
  return fmt::format("expected two ids ({}) in columns {} and {}", ids_said(),
                     *columns_.place(Field::kFrom) + 1, *columns_.place(Field::kTo) + 1);
}

Understood TieColumns::understood(std::string_view format, char separator) const {
  Understood what{
      .format = std::string(format), .separator = separator_name(separator), .columns = {}};
  for (std::size_t i = 0; i < width_; ++i) {
    const auto field = columns_.field_of(i);
    what.columns.emplace_back(!field                        ? "-"
                              : *field == Field::kCreatedAt ? "time"
                                                            : field_name(*field));
  }
  return what;
}

}  // namespace chirp::cli::input
