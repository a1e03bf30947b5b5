// The user's description of a table that does not describe itself.
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

struct Layout {
  std::optional<char> separator{};  // between cells
  std::vector<std::optional<Field>>
      columns{};            // what each is, empty: left out; none: a header says
  bool of_twitter = false;  // by a name in `columns`
  NamedColumns named{};     // what the header's columns of these names are
  HeaderRow header = HeaderRow::kAuto;
  Times times{};
  std::string owner{};  // author of every row, whatever the row says; empty: as the rows say

  [[nodiscard]] bool has(Field field) const;
};

// The content of a table. Each kind has fields of its own.
enum class TableOf : std::uint8_t { kPosts, kTies };

// `,`, `|`, `tab`, `blank`, or any other single character. Throws Error{kInvalidArgument}.
[[nodiscard]] char parse_separator(std::string_view text);
// Parses a list of the columns in order: `id,-,author,text` or `-,from,to`. The names are those
// that a header may have. Throws Error{kInvalidArgument} for an unknown or repeated name, or if a
// required column is missing.
[[nodiscard]] std::vector<std::optional<Field>> parse_columns(std::string_view text,
                                                              TableOf what = TableOf::kPosts);
// Whether a name of such a list is Twitter's alone, so that texts have HTML escapes.
[[nodiscard]] bool has_twitter_column(std::string_view text);
// Parses fields by the names of their columns in the header:
// `author=user_name,time=created,audience=-`. `created=time` has the same meaning if the header has
// a column `created`. Throws Error{kInvalidArgument}.
[[nodiscard]] NamedColumns parse_named_columns(std::string_view text,
                                               TableOf what = TableOf::kPosts);

}  // namespace chirp::cli::input
