// The user's description of a table without a usable header.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/columns.h"
#include "cli/input/times.h"

namespace chirp::cli::input {

// Whether the first row of a table names its columns.
enum class HeaderRow : std::uint8_t { kAuto, kYes, kNo };

struct TableLayout {
  std::optional<char> separator{};  // between cells
  std::vector<std::optional<Field>>
      columns{};            // their fields; empty field: ignored; no list: use the header
  bool of_twitter = false;  // whether `columns` has a name of Twitter's
  NamedColumns named{};     // the meaning of columns by their names in the header
  HeaderRow header = HeaderRow::kAuto;
  Times times{};
  std::string owner{};  // author of every row, overriding the rows; empty: as in the rows

  [[nodiscard]] bool has(Field field) const;
};

// The content of a table, which determines the valid fields.
enum class TableContent : std::uint8_t { kPosts, kTies };

// `,`, `|`, `tab`, `blank`, or any other single character. Throws Error{kInvalidArgument}.
[[nodiscard]] char parse_separator(std::string_view text);
// Parses a list of the columns in order: `id,-,author,text` or `-,from,to`. The names are those
// that a header may have. Throws Error{kInvalidArgument} for an unknown or repeated name, or if a
// required column is missing.
[[nodiscard]] std::vector<std::optional<Field>> parse_columns(
    std::string_view text, TableContent what = TableContent::kPosts);
// Whether the list has a name that only Twitter uses, which means that texts have HTML escapes.
[[nodiscard]] bool has_twitter_column(std::string_view text);
// Parses fields by the names of their columns in the header:
// `author=user_name,time=created,audience=-`. `created=time` has the same meaning if the header has
// a column `created`. Throws Error{kInvalidArgument}.
[[nodiscard]] NamedColumns parse_named_columns(std::string_view text,
                                               TableContent what = TableContent::kPosts);

}  // namespace chirp::cli::input
