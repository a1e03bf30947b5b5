// Tables whose rows name two users, such as edges and events: finds the columns of the users.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/input/columns.h"
#include "cli/input/ids.h"
#include "cli/input/layout.h"
#include "cli/input/lines.h"
#include "cli/input/table_rows.h"
#include "cli/input/understood.h"

namespace chirp::cli::input {

using Cells = std::span<const std::string_view>;

class TieColumns {
 public:
  // Uses the columns of the layout; by default, `from` and `to` are the first two columns.
  TieColumns(const TableLayout& layout, const IdCells& ids) : TieColumns(layout, ids, ids.kind()) {}
  // The same for detecting the kind of ids, without reading them.
  TieColumns(const TableLayout& layout, IdKind kind) : TieColumns(layout, {}, kind) {}

  // Whether the user has described the columns.
  [[nodiscard]] bool are_said() const { return !layout_.columns.empty() || are_named(); }
  // Takes the first row of a table whose columns the user has given. Returns false if it is a
  // header, and notes that unless the header is required. Throws Error{kInvalidArgument} for
  // columns that the header does not have. User ids are words if those in the first data row are,
  // or if the user says so.
  bool begin(const TableRow& row, const InputPlace& place, const BadLines& bad);

  // Whether the first row is data. If the user gives columns by name, it is always a header; if the
  // header lacks one of them, none is used.
  [[nodiscard]] bool is_data(Cells cells);

  // Looks in a header for two neighbouring names of users' columns, and uses the first such pair.
  // Returns false without such a pair.
  bool find_in(Cells header);
  // Whether the users' columns are not the first two.
  [[nodiscard]] bool has_moved() const { return columns_.place(Field::kFrom) != 0; }

  void set_words(bool words) { words_ = words; }
  [[nodiscard]] bool words() const { return words_; }
  // Returns what an id may be, for messages.
  [[nodiscard]] std::string_view ids_said() const {
    return words_ ? "numbers or words" : "whole numbers from 0 to 9223372036854775807";
  }

  [[nodiscard]] bool has(Field field) const { return columns_.has(field); }
  [[nodiscard]] std::optional<std::size_t> place(Field field) const {
    return columns_.place(field);
  }
  // Returns empty if there is no such column.
  [[nodiscard]] std::string_view cell(Cells cells, Field field) const {
    return columns_.cell(cells, field);
  }
  [[nodiscard]] std::optional<SourceId> user(std::string_view cell) const;
  [[nodiscard]] std::optional<std::pair<SourceId, SourceId>> users(Cells cells) const;
  // Whether the cells can name two users.
  [[nodiscard]] bool name_users(Cells cells) const;
  // Returns what is wrong with a row's number of cells, or empty.
  [[nodiscard]] std::optional<std::string> width_problem(Cells cells) const;
  // Returns what the users' cells should be, for messages.
  [[nodiscard]] std::string expected() const;

  [[nodiscard]] Understood understood(std::string_view format, char separator) const;

 private:
  // Whether the cells are known names of the users' columns.
  [[nodiscard]] bool is_header(Cells cells) const;
  TieColumns(const TableLayout& layout, const IdCells& ids, IdKind kind);

  // Whether the user gives columns by their names in the header.
  [[nodiscard]] bool are_named() const { return !layout_.named.empty(); }

  const TableLayout& layout_;
  IdCells ids_;
  IdKind kind_;
  Columns columns_;
  std::size_t width_;  // number of columns
  bool words_;
  bool first_ = true;   // whether no row has been read yet
  bool begun_ = false;  // whether a data row has been read
};

}  // namespace chirp::cli::input
