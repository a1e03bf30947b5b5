#include "cli/input/columns.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/notations.h"
#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::input {

template <class Meaning>
Columns Columns::of(std::span<const std::string_view> header, Meaning meaning) {
  Columns columns;
  columns.width_ = header.size();
  std::array<unsigned, kFields> ranks{};
  ranks.fill(std::numeric_limits<unsigned>::max());
  for (std::size_t i = 0; i < header.size(); ++i) {
    const auto found = meaning(header[i]);
    if (found) columns.service_ = std::max(columns.service_, found->service);
    columns.of_mastodon_ = columns.of_mastodon_ || is_mastodon_name(header[i]);
    if (found && found->field == Field::kMark) continue;
    if (found && is_about_visibility(found->field)) {
      columns.visibility_.push_back({i, found->field, std::string(header[i])});
      continue;
    }
    if (!found || found->rank >= ranks[index(found->field)]) continue;
    ranks[index(found->field)] = found->rank;
    columns.places_[index(found->field)] = i;
  }
  return columns;
}

namespace {

// Returns the fields that the user has set for columns of the header. Throws
// Error{kInvalidArgument} for a column that the header does not have.
std::vector<std::pair<std::string, std::optional<Field>>> said_of(
    std::span<const std::string_view> header, const NamedColumns& named) {
  std::vector<std::pair<std::string, std::optional<Field>>> said;
  for (const NamedColumn& one : named) {
    if (std::ranges::find(header, one.column) != header.end()) {
      said.emplace_back(one.column, one.field);
    } else if (one.other_field && std::ranges::find(header, one.other_column) != header.end()) {
      said.emplace_back(one.other_column, one.other_field);
    } else {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("--columns names the column \"{}\", which the header does not have. "
                              "It has {}.",
                              printable(one.column, 40), names_in(header)));
    }
  }
  return said;
}

}  // namespace

std::string names_in(std::span<const std::string_view> header) {
  constexpr std::size_t kMost = 400;
  std::string names;
  for (const std::string_view name : header) {
    if (names.size() > kMost) return names + ", …";
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", printable(trimmed(name), 40));
  }
  return names;
}

Columns Columns::of_posts(std::span<const std::string_view> header, const NamedColumns& named) {
  const auto said = said_of(header, named);
  Columns columns = of(header, [&](std::string_view name) -> std::optional<FieldName> {
    const auto one = std::ranges::find(said, name, [](const auto& pair) { return pair.first; });
    const auto known = post_field(name);
    if (one != said.end()) {
      if (!one->second) return std::nullopt;
      return FieldName{*one->second, 0, known ? known->service : Platform::kAny};
    }
    // A field that the user has set for another column takes precedence over this column's name.
    const bool taken =
        known && !is_about_visibility(known->field) &&
        std::ranges::any_of(said, [&](const auto& pair) { return pair.second == known->field; });
    return taken ? std::nullopt : known;
  });
  const auto beside = [&](std::string_view name) {
    return std::ranges::find(header, name, plain_name) != header.end();
  };
  for (std::size_t i = 0; i < header.size(); ++i) {
    const bool is_said = std::ranges::find(said, header[i], [](const auto& pair) {
                           return std::string_view(pair.first);
                         }) != said.end();
    if (is_said) continue;
    const std::string name(header[i]);
    if (const auto field = visibility_of_repeated(name)) {
      columns.visibility_.push_back({i, *field, name, true});
    } else if (names_recipient(name, beside)) {
      columns.visibility_.push_back({i, Field::kRecipient, name});
    }
  }
  const auto shown = columns.place(Field::kDisplayName);
  const bool is_said_name =
      std::ranges::any_of(said, [](const auto& one) { return one.second == Field::kDisplayName; });
  if (columns.service_ == Platform::kReddit && shown && !is_said_name &&
      plain_name(header[*shown]) == "name") {  // an id
    columns.places_[index(Field::kDisplayName)].reset();
  }
  const bool is_said_so =
      std::ranges::any_of(said, [](const auto& one) { return plain_name(one.first) == "name"; });
  if (shown && plain_name(header[*shown]) == "displayname" && !is_said_so &&
      columns.service_ != Platform::kReddit) {
    const auto name = std::ranges::find(header, "name", plain_name);
    if (name != header.end()) columns.name_ = static_cast<std::size_t>(name - header.begin());
  }
  for (const ServiceName& known : service_names()) {
    const bool is_said = std::ranges::any_of(said, [&](const auto& pair) {
      return pair.second == known.field || plain_name(pair.first) == plain_name(known.name);
    });
    if (known.service != columns.service_ || is_said) continue;
    const auto at = std::ranges::find(header, plain_name(known.name), plain_name);
    if (at == header.end()) continue;
    columns.places_[index(known.field)] = static_cast<std::size_t>(at - header.begin());
  }
  return columns;
}

void Columns::name_authors() {
  if (has(Field::kAuthorId) || has(Field::kUsername)) return;
  places_[index(Field::kUsername)] =
      name_ ? name_ : std::exchange(places_[index(Field::kDisplayName)], std::nullopt);
}

Columns Columns::of_ties(std::span<const std::string_view> header, const NamedColumns& named) {
  std::vector<std::optional<Field>> columns(header.size());
  for (const auto& [name, field] : said_of(header, named)) {
    columns[static_cast<std::size_t>(std::ranges::find(header, name) - header.begin())] = field;
  }
  return Columns::named(columns);
}

Columns Columns::named(std::span<const std::optional<Field>> columns, Platform service) {
  Columns all;
  all.service_ = service;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i]) continue;
    if (is_about_visibility(*columns[i])) {
      all.visibility_.push_back({i, *columns[i], std::string(field_name(*columns[i]))});
    } else {
      all.places_[index(*columns[i])] = i;
    }
  }
  return all;
}

Columns Columns::of_users(std::span<const std::string_view> header) {
  Columns columns = of(header, user_field);
  if (!columns.has(Field::kUsername)) {
    columns = of(header, [](std::string_view name) {
      auto known = user_field(name);
      if (plain_name(name) == "name") known->field = Field::kUsername;
      return known;
    });
  }
  columns.of_users_ = true;
  if (!columns.has(Field::kUsername)) {
    columns.places_[index(Field::kUsername)] =
        std::exchange(columns.places_[index(Field::kDisplayName)], std::nullopt);
  }
  return columns;
}

std::optional<Field> Columns::field_of(std::size_t column) const {
  const auto about = std::ranges::find(visibility_, column, &Visibility::place);
  if (about != visibility_.end()) return about->field;
  const auto found = std::ranges::find(places_, std::optional(column));
  if (found == places_.end()) return std::nullopt;
  return static_cast<Field>(found - places_.begin());
}

std::string_view Columns::cell(std::span<const std::string_view> row, Field field) const {
  const auto& place = places_[index(field)];
  return place && *place < row.size() ? row[*place] : std::string_view();
}

Audience Columns::audience(std::span<const std::string_view> row, std::string& problem) const {
  Audience all = Audience::kPublic;
  for (const Visibility& column : visibility_) {
    const bool is_soft = column.field == Field::kAudience;
    if (column.place >= row.size()) {
      if (!is_soft) problem = fmt::format("the row ends before its column \"{}\"", column.name);
      continue;
    }
    const std::string_view cell = row[column.place];
    if (const auto said = audience_in(column.field, cell, of_mastodon_)) {
      const bool hidden = column.of_original && *said != Audience::kPublic;
      all = std::min(all, hidden ? Audience::kSelf : *said);
    } else if (!is_soft) {
      problem = unknown_audience(column.name, column.field, cell);
      if (!of_users_) problem += fmt::format(" (--columns {}=- ignores the column)", column.name);
    }
  }
  return all;
}

bool Columns::is_author_protected(std::span<const std::string_view> row) const {
  return std::ranges::any_of(visibility_, [&](const Visibility& column) {
    return column.field == Field::kProtected && !column.of_original && is_of_author(column.name) &&
           column.place < row.size() &&
           audience_in(column.field, row[column.place], of_mastodon_) == Audience::kFollowers;
  });
}

}  // namespace chirp::cli::input
