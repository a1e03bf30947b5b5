// Tables whose rows name two users, as edges and events do: which of their columns do.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/input/bad_lines.h"
#include "cli/input/fields.h"
#include "cli/input/ids.h"
#include "cli/input/layout.h"
#include "cli/input/table_rows.h"
#include "cli/input/understood.h"

namespace chirp::cli::input {

using Cells = std::span<const std::string_view>;

class TieColumns {
 public:
  // Those of the layout; without one from and to are the first two columns.
  TieColumns(const Layout& layout, const IdCells& ids) : TieColumns(layout, ids, ids.kind()) {}
  // The same, to tell what may be read as what kind of ids, and not to read it.
  TieColumns(const Layout& layout, IdKind kind) : TieColumns(layout, {}, kind) {}

  // Whether somebody says what the columns are.
  [[nodiscard]] bool are_said() const { return !layout_.columns.empty() || are_named(); }
  // Takes the first row of a table whose columns are said; false if it is a header, which is noted
  // unless it has to be there. Throws Error{kInvalidArgument} for columns that it does not have.
  // Users are words if those of the first other row are, or where that is said.
  bool begin(const TableRow& row, const Place& place, const BadLines& bad);

  // Whether the first row is none that names columns; of one that does not have those that are said
  // it takes none.
  [[nodiscard]] bool is_data(Cells cells);

  // Takes the first two neighbours among the names of a header that are names of the users'
  // columns; false if there are none.
  bool find_in(Cells header);
  // They are others than the first two.
  [[nodiscard]] bool has_moved() const { return columns_.place(Field::kFrom) != 0; }

  void set_words(bool words) { words_ = words; }
  [[nodiscard]] bool words() const { return words_; }
  // What an id may be, for messages.
  [[nodiscard]] std::string_view ids_said() const {
    return words_ ? "numbers or words" : "numbers of 63 bits";
  }

  [[nodiscard]] bool has(Field field) const { return columns_.has(field); }
  [[nodiscard]] std::optional<std::size_t> place(Field field) const {
    return columns_.place(field);
  }
  // Empty if there is no such column.
  [[nodiscard]] std::string_view cell(Cells cells, Field field) const {
    return columns_.cell(cells, field);
  }
  [[nodiscard]] std::optional<SourceId> user(std::string_view cell) const;
  [[nodiscard]] std::optional<std::pair<SourceId, SourceId>> users(Cells cells) const;
  // Whether the cells can name two users.
  [[nodiscard]] bool name_users(Cells cells) const;
  // What is wrong with how many cells a row has, if something is.
  [[nodiscard]] std::optional<std::string> width_problem(Cells cells) const;
  // What the users' cells had to be.
  [[nodiscard]] std::string expected() const;

  [[nodiscard]] Understood understood(std::string_view format, char separator) const;

 private:
  // Whether the cells are names of the users' columns.
  [[nodiscard]] bool is_header(Cells cells) const;
  TieColumns(const Layout& layout, const IdCells& ids, IdKind kind);

  // They are said by the names that the header has.
  [[nodiscard]] bool are_named() const { return !layout_.named.empty(); }

  const Layout& layout_;
  IdCells ids_;
  IdKind kind_;
  Columns columns_;
  std::size_t width_;  // of a row
  bool words_;
  bool first_ = true;   // no row has come
  bool begun_ = false;  // a row that is no header has come
};

}  // namespace chirp::cli::input
