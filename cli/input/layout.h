// The user's description of a table that does not describe itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/fields.h"
#include "cli/input/times.h"

namespace chirp::cli::input {

// Whether the first row of a table names its columns.
enum class HeaderRow : std::uint8_t { kAuto, kYes, kNo };

struct Layout {
  std::optional<char> separator{};  // of cells
  std::vector<std::optional<Field>>
      columns{};         // what each is, empty: left out; none: a header says
  NamedColumns named{};  // what the header's columns of these names are
  HeaderRow header = HeaderRow::kAuto;
  Times times{};
  std::string owner{};  // of every row, whatever it says; empty if they say it

  [[nodiscard]] bool has(Field field) const;
};

// What a table has in its rows: each has fields of its own.
enum class TableOf : std::uint8_t { kPosts, kTies };

// `,`, `|`, `tab`, `blank`, or any other single character. Throws Error{kInvalidArgument}.
[[nodiscard]] char parse_separator(std::string_view text);
// `id,-,author,text` and `-,from,to`: the names of columns, as in a header. Throws
// Error{kInvalidArgument} for one that is not known or comes twice, or if one is missing that has
// to be there.
[[nodiscard]] std::vector<std::optional<Field>> parse_columns(std::string_view text,
                                                              TableOf what = TableOf::kPosts);
// `author=user_name,time=created,audience=-`: fields by the names of their columns in the header.
// `created=time` says the same, where the header has a column `created`. Throws
// Error{kInvalidArgument}.
[[nodiscard]] NamedColumns parse_named_columns(std::string_view text,
                                               TableOf what = TableOf::kPosts);

}  // namespace chirp::cli::input
