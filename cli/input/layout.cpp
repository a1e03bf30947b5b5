#include "cli/input/layout.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/fields.h"
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

namespace {

std::optional<Field> known_field(std::string_view name, TableContent what) {
  if (what == TableContent::kTies) return tie_field(name);
  const auto known = post_field(name);
  return known && known->field != Field::kMark ? std::optional(known->field) : std::nullopt;
}

// Empty for `-`. Throws Error{kInvalidArgument}.
std::optional<Field> parse_column(std::string_view name, TableContent what) {
  if (name == "-") return std::nullopt;
  if (const auto known = known_field(name, what)) return known;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("--columns takes {}, or - for an ignored column, not \"{}\".",
                          what == TableContent::kTies
                              ? "from, to, count, time, kind"
                              : "id, author or authorId, text, createdAt, replyTo, repostOf, "
                                "displayName, mediaUrls, altTexts, privacy, visibility, protected",
                          printable(name, 40)));
}

void require(const std::vector<std::optional<Field>>& columns, std::span<const Field> fields) {
  for (const Field field : fields) {
    if (std::ranges::find(columns, std::optional(field)) != columns.end()) continue;
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("--columns has to name {}.", field_name(field)));
  }
}

}  // namespace

bool TableLayout::has(Field field) const {
  const auto has_it = [&](const NamedColumn& one) {
    return one.field == field || (!one.other_column.empty() && one.other_field == field);
  };
  return std::ranges::find(columns, std::optional(field)) != columns.end() ||
         std::ranges::any_of(named, has_it);
}

std::vector<std::optional<Field>> parse_columns(std::string_view text, TableContent what) {
  std::vector<std::optional<Field>> columns;
  for (const std::string_view name : cells_of(text, ',')) {
    columns.push_back(parse_column(name, what));
    if (columns.back() && std::ranges::count(columns, columns.back()) > 1) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("--columns names {} twice.", field_name(*columns.back())));
    }
  }
  if (what == TableContent::kTies) {
    require(columns, std::array{Field::kFrom, Field::kTo});
  } else {
    require(columns, std::array{Field::kText, Field::kCreatedAt});
  }
  return columns;
}

bool has_twitter_column(std::string_view text) {
  return std::ranges::any_of(cells_of(text, ','), [](std::string_view name) {
    const auto known = post_field(name);
    return known && known->service == Platform::kTwitter;
  });
}

NamedColumns parse_named_columns(std::string_view text, TableContent what) {
  NamedColumns named;
  for (const std::string_view pair : cells_of(text, ',')) {
    const std::size_t sign = pair.rfind('=');
    if (sign == std::string_view::npos || sign == 0) {
      throw Error(
          ErrorCode::kInvalidArgument,
          fmt::format("--columns takes either the names of all columns of a table without a "
                      "header, or FIELD=COLUMN and COLUMN=- for columns of its header; \"{}\" "
                      "has no \"=\" with something before it.",
                      printable(pair, 40)));
    }
    const std::string_view left = pair.substr(0, sign);
    const std::string_view right = pair.substr(sign + 1);
    NamedColumn one{.column = std::string(right),
                    .field = known_field(left, what),
                    .other_column = std::string(left),
                    .other_field = known_field(right, what)};
    if (right == "-" || !one.field) {
      // The order is COLUMN=FIELD.
      one = {.column = std::string(left), .field = parse_column(right, what)};
    }
    named.push_back(std::move(one));
  }
  return named;
}

}  // namespace chirp::cli::input
