// The user's description of a table that does not describe itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/fields.h"

namespace chirp::cli::input {

struct Layout {
  std::optional<char> separator;  // of cells
  std::vector<std::optional<Field>>
      columns{};         // each column's field; empty: left out; none: the header names them
  NamedColumns named{};  // fields of header columns given by name
};

// `,`, `|`, `tab`, `blank`, or any other single character. Throws Error{kInvalidArgument}.
[[nodiscard]] char parse_separator(std::string_view text);
// Parses `id,-,author,text`: the names of columns, as in a header. Throws Error{kInvalidArgument}
// for an unknown name, or if id, text or createdAt is missing.
[[nodiscard]] std::vector<std::optional<Field>> parse_columns(std::string_view text);
// Parses `audience=-,when=createdAt`: fields of header columns by name. Throws
// Error{kInvalidArgument}.
[[nodiscard]] NamedColumns parse_named_columns(std::string_view text);

}  // namespace chirp::cli::input
