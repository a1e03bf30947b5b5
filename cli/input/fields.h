// The names of columns and members: ours, and the usual names elsewhere.
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
  // Fields of tables of edges or events.
  kFrom,
  kTo,
  kCount,
  kKind,
  // Who may see it. A row may have more than one of these; the narrowest counts.
  kPrivacy,     // a word of chirp's
  kVisibility,  // a word of another service's
  kAudience,    // in an object of JSON; in a table it may be about something else
  kProtected,   // whether the author shows posts to followers only
  kLocalOnly,   // whether only users of its own server see it
  kRecipient,   // the recipient of a direct message
};
inline constexpr std::size_t kFields = 22;
[[nodiscard]] constexpr bool is_about_visibility(Field field) { return field >= Field::kPrivacy; }
// The same for tables that do not hold posts, where `audience` and `recipient` mean something else.
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
// The same for fields about visibility only; faster.
[[nodiscard]] std::optional<Field> visibility_field(std::string_view name);
// For a table of users or a user object, where `id` is the user's.
[[nodiscard]] std::optional<FieldName> user_field(std::string_view name);

// Who may see a post, as the source says. Ordered from the narrowest to the widest.
enum class Audience : std::uint8_t {
  kNamed,      // the users it names: a direct message
  kSelf,       // the author; also groups that chirp does not have, such as mutual followers
  kFollowers,  // followers of the author
  kUnlisted,   // anyone with the address; no list shows it
  kPublic,
};

// Returns the privacy of a post for such an audience. Empty for kNamed, because such posts are not
// loaded.
[[nodiscard]] std::optional<Privacy> privacy_of(Audience audience,
                                                Privacy unlisted = Privacy::kFollowers);

// Reads the value of such a field. Returns empty for an unknown value, and kPublic for an empty
// one. With `of_mastodon`, "private" means followers only; otherwise it means the author only.
[[nodiscard]] std::optional<Audience> audience_in(Field field, std::string_view value,
                                                  bool of_mastodon);
// Returns the message for an unknown value.
[[nodiscard]] std::string unknown_audience(std::string_view name, Field field,
                                           std::string_view value);
// Whether only Mastodon's posts have a field of this name.
[[nodiscard]] bool is_mastodon_name(std::string_view name);

// Returns our own name of the field.
[[nodiscard]] std::string_view field_name(Field field);

// Whether a post's address is one of Twitter's.
[[nodiscard]] bool is_twitter_link(std::string_view link);

}  // namespace chirp::cli::input
