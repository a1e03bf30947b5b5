#include "cli/input/layout.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::input {

char parse_separator(std::string_view text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "blank" || text == "space") return ' ';
  const bool good = text.size() == 1 && text.front() != '"' && text.front() != '\n' &&
                    text.front() != '\r' && static_cast<unsigned char>(text.front()) < 0x80;
  if (good) return text.front();
  throw Error(
      ErrorCode::kInvalidArgument,
      fmt::format("--separator takes one character, tab or blank, not \"{}\".", printable(text)));
}

std::vector<std::optional<Field>> parse_columns(std::string_view text) {
  std::vector<std::optional<Field>> columns;
  for (const std::string_view name : cells_of(text, ',')) {
    const auto known = post_field(name);
    if (name != "-" && !known) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("--columns names id, author or authorId, text, createdAt, replyTo, "
                              "repostOf, displayName, mediaUrls, altTexts, or - for what is left "
                              "out; \"{}\" is none.",
                              printable(name, 40)));
    }
    columns.push_back(known ? std::optional(known->field) : std::nullopt);
    if (known && std::ranges::count(columns, columns.back()) > 1) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("--columns names {} twice.", field_name(known->field)));
    }
  }
  for (const Field field : {Field::kId, Field::kText, Field::kCreatedAt}) {
    if (std::ranges::find(columns, std::optional(field)) != columns.end()) continue;
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("--columns has to name {}.", field_name(field)));
  }
  return columns;
}

}  // namespace chirp::cli::input
