// What columns and members are called: ours, and the usual other names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace chirp::cli::input {

enum class Field : std::uint8_t {
  kId,  // of the post
  kAuthorId,
  kUsername,  // of the author
  kDisplayName,
  kBio,
  kText,
  kCreatedAt,
  kRepostOf,
  kReplyTo,
  kLink,       // where the post stands in the source
  kMediaUrls,  // addresses of what hangs on it
  kAltTexts,   // what these show
};
inline constexpr std::size_t kFields = 12;

// A name's meaning; among several names for one field the lowest rank counts (`id_str` before
// `id`).
struct FieldName {
  Field field;
  std::uint8_t rank;
  bool of_twitter = false;  // what Twitter alone calls it, whose texts are HTML-escaped
};

// Without regard to case, `_`, `-` and blanks.
[[nodiscard]] std::optional<FieldName> post_field(std::string_view name);
// Of a table of users, and of a user object: there `id` is the user's.
[[nodiscard]] std::optional<FieldName> user_field(std::string_view name);

// What we call it.
[[nodiscard]] std::string_view field_name(Field field);

// Whether a post's address is one of Twitter's.
[[nodiscard]] bool is_twitter_link(std::string_view link);

// Which column holds which field.
class Columns {
 public:
  // In a table of users without any other column for the username, `name` is that.
  static Columns of_posts(std::span<const std::string_view> header);
  static Columns named(std::span<const std::optional<Field>> columns);
  static Columns of_users(std::span<const std::string_view> header);

  // Whether a column has a name of Twitter's.
  [[nodiscard]] bool of_twitter() const { return of_twitter_; }
  // What the column with this number, from 0, is read as; empty if it is left out.
  [[nodiscard]] std::optional<Field> field_of(std::size_t column) const;
  [[nodiscard]] bool has(Field field) const { return places_[index(field)].has_value(); }
  // The cell of the row; empty if there is no such column, or the row is too short.
  [[nodiscard]] std::string_view cell(std::span<const std::string_view> row, Field field) const;

 private:
  static std::size_t index(Field field) { return static_cast<std::size_t>(field); }
  template <class Meaning>
  static Columns of(std::span<const std::string_view> header, Meaning meaning);

  std::array<std::optional<std::size_t>, kFields> places_;
  bool of_twitter_ = false;
};

}  // namespace chirp::cli::input
