// The user's description of a table that does not describe itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/fields.h"

namespace chirp::cli::input {

struct Layout {
  std::optional<char> separator{};  // of cells
  std::vector<std::optional<Field>>
      columns{};         // what each is, empty: left out; none: a header says
  NamedColumns named{};  // what the header's columns of these names are

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
// `audience=-,when=createdAt`: columns of a header by their names. Throws Error{kInvalidArgument}.
[[nodiscard]] NamedColumns parse_named_columns(std::string_view text);

}  // namespace chirp::cli::input
