// Converts the rows of a table to posts.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "cli/input/columns.h"
#include "cli/input/ids.h"
#include "cli/input/json_objects.h"
#include "cli/input/layout.h"
#include "cli/input/plain_text.h"
#include "cli/input/table_rows.h"

namespace chirp::cli::input {

// Whether the stored texts of the row are UTF-8; other cells may be in any encoding.
[[nodiscard]] bool are_utf8(const TableRow& row, const Columns& columns);
// Returns a problem if the row has more non-empty cells than named columns: an unquoted separator
// in a text would cut the text short. `width` 0 means any number of cells.
[[nodiscard]] std::optional<std::string> unnamed_cells(const TableRow& row, std::size_t width);
// Removes the `@` and surrounding blanks from a username.
[[nodiscard]] std::string without_at(std::string_view name);

class PostRows {
 public:
  // The arguments must outlive this. `file_author` is used for rows without an author; may be
  // empty. `trims` removes blanks around texts.
  PostRows(const Columns& columns, const TableLayout& layout, Escapes escapes, IdCells& ids,
           std::string_view file_author, bool trims)
      : columns_(columns),
        layout_(layout),
        escapes_(escapes),
        ids_(ids),
        file_author_(file_author),
        trims_(trims) {}

  // Returns a post, an object that is left out, or an error.
  [[nodiscard]] JsonObject read(TableRow& row);
  // Returns the row's author if the row says that this is a protected user.
  [[nodiscard]] std::optional<ProtectedUser> protected_author(const TableRow& row) const;
  // Returns a warning about the ids that were read, or empty.
  [[nodiscard]] std::string warning() const { return rounded_.warning(); }

 private:
  [[nodiscard]] std::string_view cell(const TableRow& row, Field field) const {
    return columns_.cell(row.cells, field);
  }
  // Returns what is wrong with the cell, or empty.
  [[nodiscard]] std::optional<std::string> read_link(const TableRow& row, Field field,
                                                     SourceId self,
                                                     std::optional<SourceId>& link) const;
  [[nodiscard]] std::optional<std::string> read_author(const TableRow& row, load::SourcePost& post);
  [[nodiscard]] SourceId id_made_of(const TableRow& row, Time when);
  [[nodiscard]] std::string id_in(const TableRow& row) const;
  [[nodiscard]] PostText text_in(const TableRow& row) const;
  void settle_repost(const TableRow& row, load::SourcePost& post) const;

  const Columns& columns_;
  const TableLayout& layout_;
  Escapes escapes_;
  IdCells& ids_;
  std::string_view file_author_;
  bool trims_;
  RoundedIds rounded_;
  MadeUpIds made_up_;
};

}  // namespace chirp::cli::input
