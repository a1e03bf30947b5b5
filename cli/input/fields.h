// The names of columns and members: ours, and the usual names elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace chirp::cli::input {

enum class Field : std::uint8_t {
  kId,  // of the post
  kAuthorId,
  kUsername,  // of the author
  kDisplayName,
  kBio,
  kHeading,  // text above the post: a title, a content warning
  kText,
  kCreatedAt,
  kRepostOf,
  kReplyTo,
  kLink,          // the post's address in the source
  kMediaUrls,     // addresses of attached media
  kAltTexts,      // descriptions of the media
  kOriginalText,  // in a table, of the repeated post
  // Fields of tables of edges or events.
  kFrom,
  kTo,
  kCount,
  kKind,
  kMark,  // not stored, but identifies the service
  // Fields about visibility. A row may have several; the narrowest counts.
  kPrivacy,     // in chirp's words
  kVisibility,  // in another service's words
  kAudience,    // in a JSON object; in a table it may mean something else
  kProtected,   // whether the author shows posts to followers only
  kLocalOnly,   // whether only users of its own server see it
  kSubreddit,   // the type of the subreddit it is in
  kRecipient,   // the recipient of a direct message
  kForSelf,     // whether only the author sees it
};
inline constexpr std::size_t kFields = 27;
[[nodiscard]] constexpr bool is_about_visibility(Field field) { return field >= Field::kPrivacy; }
// The same for tables that do not hold posts, where `audience` and `recipient` mean something else.
[[nodiscard]] constexpr bool limits_readers(Field field) {
  return is_about_visibility(field) && field != Field::kAudience && field != Field::kRecipient;
}

// The service that a post comes from, recognised by the names of its fields.
enum class Platform : std::uint8_t {
  kAny,  // unknown
  kTwitter,
  kMastodon,
  kMisskey,
  kBluesky,
  kNostr,
  kReddit,
};

// How a text is written.
enum class Escapes : std::uint8_t {
  kNone,
  kHtml,      // plain text with HTML escapes
  kMarkup,    // HTML
  kByObject,  // as the service that wrote the object does
};
[[nodiscard]] Escapes escapes_of(Platform service);

// The meaning of a name. Among several names of one field, the lowest rank is used (`id_str` before
// `id`).
struct FieldName {
  Field field;
  std::uint8_t rank;
  Platform service = Platform::kAny;  // the only service that uses this name
};

// Ignores case, `_`, `-` and blanks. A name may be a path into the object, such as `account.acct`.
// In an array of objects with a `type`, the type is a part of the path.
[[nodiscard]] std::optional<FieldName> post_field(std::string_view name);
// Names with a special meaning in posts of one service. They take precedence over all other names
// of the field.
struct ServiceName {
  Platform service;
  std::string_view name;
  Field field;
};
[[nodiscard]] std::span<const ServiceName> service_names();
// All names that post_field() and user_field() know, in lower case without `_`.
using KnownName = std::pair<std::string_view, FieldName>;
[[nodiscard]] std::vector<KnownName> post_names();
[[nodiscard]] std::vector<KnownName> user_names();
// Whether post_field() knows paths that begin with this member.
[[nodiscard]] bool begins_path(std::string_view name);
// Whether the member holds the post that this one repeats, rather than a quoted post or a parent.
[[nodiscard]] bool is_repeated(std::string_view name);
// The id by which Reddit's comments name a post or comment: `t3_` or `t1_` and its own id.
[[nodiscard]] std::string reddit_id(std::string_view id, bool is_post);
// Whether the post was deleted or removed, so that placeholder words replace it.
[[nodiscard]] bool is_deleted(Platform service, std::string_view author, std::string_view text);
// The same for fields about visibility only; faster.
[[nodiscard]] std::optional<Field> visibility_field(std::string_view name);
// The same for a field of the post that this one repeats or quotes, in a flattened object:
// `reblog.visibility`, `retweeted_status_user_protected`.
[[nodiscard]] std::optional<Field> visibility_of_repeated(std::string_view name);
// Whether the author of a post is protected by this field, rather than the post.
[[nodiscard]] bool is_of_author(std::string_view name);
// Whether an ambiguous field holds the recipient of a message, judging by the other fields.
// `beside` tells whether there is a field with a name, in lower case and without `_`.
[[nodiscard]] bool names_recipient(std::string_view name,
                                   const std::function<bool(std::string_view)>& beside);
// For a table of users or a user object, where `id` is the user's.
[[nodiscard]] std::optional<FieldName> user_field(std::string_view name);

// Whether only Mastodon's posts have a field of this name.
[[nodiscard]] bool is_mastodon_name(std::string_view name);

// Returns our own name of the field.
[[nodiscard]] std::string_view field_name(Field field);

// Whether a post's address is one of Twitter's.
[[nodiscard]] bool is_twitter_link(std::string_view link);

// Tables of edges whose first row names their columns.

// Whether a column with this name holds the follower; for names_followee(), the followee.
[[nodiscard]] bool names_follower(std::string_view name);
[[nodiscard]] bool names_followee(std::string_view name);

// Whether it is another usual name for a column of users, which does not say who follows whom.
[[nodiscard]] bool names_person(std::string_view name);

// Whether the names of the first two columns are known ones of follower and followee, in this
// order or the other way round.
enum class Header : std::uint8_t { kUnknown, kKnown, kReversed };
[[nodiscard]] Header header_of(std::string_view first, std::string_view second);

// Returns the field that a user means by this name, for a column of edges or events; empty if
// unknown.
[[nodiscard]] std::optional<Field> tie_field(std::string_view name);

}  // namespace chirp::cli::input
