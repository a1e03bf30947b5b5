// What columns and members are called: ours, and the usual other names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/post.h"

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
  // Who may see it. A row may have more than one of these; the narrowest counts.
  kPrivacy,     // a word of chirp's
  kVisibility,  // a word of another service's
  kAudience,    // in an object of JSON; in a table it may be about something else
  kProtected,   // whether the author shows posts to followers only
  kLocalOnly,   // whether only users of its server see it
  kRecipient,   // whom a direct message goes to
};
inline constexpr std::size_t kFields = 18;
[[nodiscard]] constexpr bool is_about_visibility(Field field) { return field >= Field::kPrivacy; }
// The same of a table that is not one of posts, where `audience` and `recipient` mean other things.
[[nodiscard]] constexpr bool limits_readers(Field field) {
  return is_about_visibility(field) && field != Field::kAudience && field != Field::kRecipient;
}

// A name's meaning; among several names for one field the lowest rank counts (`id_str` before
// `id`).
struct FieldName {
  Field field;
  std::uint8_t rank;
  bool of_twitter = false;  // what Twitter alone calls it, whose texts are HTML-escaped
};

// Without regard to case, `_`, `-` and blanks.
[[nodiscard]] std::optional<FieldName> post_field(std::string_view name);
// The same of fields about visibility alone, which is quicker.
[[nodiscard]] std::optional<Field> visibility_field(std::string_view name);
// Of a table of users, and of a user object: there `id` is the user's.
[[nodiscard]] std::optional<FieldName> user_field(std::string_view name);

// Who may see a post, as its source says; from the fewest to the most.
enum class Audience : std::uint8_t {
  kNamed,      // the people whom it names: a direct message
  kSelf,       // the author; also groups for which chirp has no word, such as mutual followers
  kFollowers,  // followers of the author
  kUnlisted,   // everybody who has the address; no list shows it
  kPublic,
};

// The privacy of a post for such an audience. It is empty for kNamed: such a post is not loaded.
[[nodiscard]] std::optional<Privacy> privacy_of(Audience audience,
                                                Privacy unlisted = Privacy::kFollowers);

// Reads the value of one such field; empty for a value that is not known. An empty value says
// nothing, so it is kPublic. `of_mastodon`: "private" means followers only there, and the author
// only anywhere else.
[[nodiscard]] std::optional<Audience> audience_in(Field field, std::string_view value,
                                                  bool of_mastodon);
// What to tell about a value that is not known.
[[nodiscard]] std::string unknown_audience(std::string_view name, Field field,
                                           std::string_view value);
// Whether only Mastodon's posts have a field of this name.
[[nodiscard]] bool is_mastodon_name(std::string_view name);

// What we call it.
[[nodiscard]] std::string_view field_name(Field field);

// Whether a post's address is one of Twitter's.
[[nodiscard]] bool is_twitter_link(std::string_view link);

// What the user says of columns by their names: the field, or empty to ignore the column.
using NamedColumns = std::vector<std::pair<std::string, std::optional<Field>>>;

// Which column holds which field.
class Columns {
 public:
  // Throws Error{kInvalidArgument} if `named` has a column that is not in the header.
  static Columns of_posts(std::span<const std::string_view> header, const NamedColumns& named = {});
  static Columns named(std::span<const std::optional<Field>> columns);
  // In a table of users without any other column for the username, `name` is that.
  static Columns of_users(std::span<const std::string_view> header);

  // Whether a column has a name of Twitter's.
  [[nodiscard]] bool of_twitter() const { return of_twitter_; }
  // What the column with this number, from 0, is read as; empty if it is left out.
  [[nodiscard]] std::optional<Field> field_of(std::size_t column) const;
  [[nodiscard]] bool has(Field field) const { return places_[index(field)].has_value(); }
  // The cell of the row; empty if there is no such column, or the row is too short.
  [[nodiscard]] std::string_view cell(std::span<const std::string_view> row, Field field) const;
  // Who may see the post of the row, by all its columns about that. What is wrong goes to
  // `problem`.
  [[nodiscard]] Audience audience(std::span<const std::string_view> row,
                                  std::string& problem) const;

 private:
  // A column about who may see the post.
  struct Visibility {
    std::size_t place;
    Field field;
    std::string name;
  };
  static std::size_t index(Field field) { return static_cast<std::size_t>(field); }
  template <class Meaning>
  static Columns of(std::span<const std::string_view> header, Meaning meaning);

  std::array<std::optional<std::size_t>, kFields> places_;
  std::vector<Visibility> visibility_;
  bool of_twitter_ = false;
  bool of_mastodon_ = false;
};

}  // namespace chirp::cli::input
