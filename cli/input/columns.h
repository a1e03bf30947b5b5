// Which columns of a table hold which fields.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/audience.h"
#include "cli/input/fields.h"

namespace chirp::cli::input {

// The names of a header's columns, for messages.
[[nodiscard]] std::string names_in(std::span<const std::string_view> header);

// The meaning that the user gives to a column of the header: a field, or empty to ignore the
// column. If the header has no such column, the other pair applies, if there is one.
struct NamedColumn {
  std::string column;
  std::optional<Field> field;
  std::string other_column{};
  std::optional<Field> other_field{};
};
using NamedColumns = std::vector<NamedColumn>;

// Which column holds which field.
class Columns {
 public:
  // Throws Error{kInvalidArgument} if `named` has a column that is not in the header.
  static Columns of_posts(std::span<const std::string_view> header, const NamedColumns& named = {});
  // For edges and events: uses only the columns in `named`.
  static Columns of_ties(std::span<const std::string_view> header, const NamedColumns& named);
  static Columns named(std::span<const std::optional<Field>> columns,
                       Platform service = Platform::kAny);
  // In a table of users, `name` is the username if no other column is; without it, the display
  // name.
  static Columns of_users(std::span<const std::string_view> header);

  // Uses the column `name` for authors if the table has no column of authors.
  void name_authors();
  // How many columns the header names; 0 without a header.
  [[nodiscard]] std::size_t width() const { return width_; }
  // The service whose names the columns have.
  [[nodiscard]] Platform service() const { return service_; }
  // Returns the field that the column holds. Columns count from 0. Empty for an ignored column.
  [[nodiscard]] std::optional<Field> field_of(std::size_t column) const;
  [[nodiscard]] bool has(Field field) const { return place(field).has_value(); }
  // Returns the index of the column that holds the field, from 0.
  [[nodiscard]] std::optional<std::size_t> place(Field field) const {
    return places_[index(field)];
  }
  // Returns the cell of the row. Empty if there is no such column, or if the row is too short.
  [[nodiscard]] std::string_view cell(std::span<const std::string_view> row, Field field) const;
  // Returns who may see the row's post, by all its visibility columns. Sets `problem` if a value is
  // wrong.
  [[nodiscard]] Audience audience(std::span<const std::string_view> row,
                                  std::string& problem) const;
  // Whether a column says that the post's author is protected.
  [[nodiscard]] bool is_author_protected(std::span<const std::string_view> row) const;

 private:
  // A column about visibility.
  struct Visibility {
    std::size_t place;
    Field field;
    std::string name;
    bool of_original = false;  // the post that this one repeats
  };
  static std::size_t index(Field field) { return static_cast<std::size_t>(field); }
  template <class Meaning>
  static Columns of(std::span<const std::string_view> header, Meaning meaning);

  std::array<std::optional<std::size_t>, kFields> places_;
  std::optional<std::size_t> name_;  // the column `name` of a table that also has display names
  std::vector<Visibility> visibility_;
  std::size_t width_ = 0;
  bool of_users_ = false;  // --columns does not apply
  Platform service_ = Platform::kAny;
  bool of_mastodon_ = false;
};

}  // namespace chirp::cli::input
