// What somebody says of a table that does not say it itself.
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
      columns{};         // what each is, empty: left out; none: a header says
  NamedColumns named{};  // what the header's columns of these names are
};

// `,`, `|`, `tab`, `blank`, or any other single character. Throws Error{kInvalidArgument}.
[[nodiscard]] char parse_separator(std::string_view text);
// `id,-,author,text`: the names of columns, as in a header. Throws Error{kInvalidArgument} for one
// that is not known, or if there is none of id, text or createdAt.
[[nodiscard]] std::vector<std::optional<Field>> parse_columns(std::string_view text);
// `audience=-,when=createdAt`: columns of a header by their names. Throws Error{kInvalidArgument}.
[[nodiscard]] NamedColumns parse_named_columns(std::string_view text);

}  // namespace chirp::cli::input
