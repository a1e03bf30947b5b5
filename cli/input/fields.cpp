#include "cli/input/fields.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace chirp::cli::input {
namespace {

using Names = std::span<const std::pair<std::string_view, FieldName>>;

constexpr std::pair<std::string_view, FieldName> kPostNames[] = {
    {"idstr", {Field::kId, 0}},
    {"id", {Field::kId, 1}},
    {"tweetid", {Field::kId, 2, true}},
    {"statusid", {Field::kId, 2}},
    {"postid", {Field::kId, 2}},
    {"messageid", {Field::kId, 3}},
    {"sourceid", {Field::kId, 3}},
    {"ids", {Field::kId, 4}},

    {"authorid", {Field::kAuthorId, 0}},
    {"useridstr", {Field::kAuthorId, 1}},
    {"userid", {Field::kAuthorId, 2}},
    {"fromuserid", {Field::kAuthorId, 3}},
    {"accountid", {Field::kAuthorId, 4}},

    {"author", {Field::kUsername, 0}},
    {"screenname", {Field::kUsername, 1}},
    {"userscreenname", {Field::kUsername, 1}},
    {"username", {Field::kUsername, 2}},
    {"handle", {Field::kUsername, 3}},
    {"authorusername", {Field::kUsername, 3}},
    {"fromuser", {Field::kUsername, 4}},
    {"user", {Field::kUsername, 5}},
    {"account", {Field::kUsername, 6}},

    {"displayname", {Field::kDisplayName, 0}},
    {"authorname", {Field::kDisplayName, 1}},
    {"name", {Field::kDisplayName, 2}},

    {"fulltext", {Field::kText, 0}},
    {"text", {Field::kText, 1}},
    {"content", {Field::kText, 2}},
    {"tweet", {Field::kText, 3}},
    {"tweettext", {Field::kText, 3}},
    {"body", {Field::kText, 4}},
    {"message", {Field::kText, 5}},

    {"createdat", {Field::kCreatedAt, 0}},
    {"timestampms", {Field::kCreatedAt, 1}},
    {"timestamp", {Field::kCreatedAt, 2}},
    {"datetime", {Field::kCreatedAt, 3}},
    {"date", {Field::kCreatedAt, 4}},
    {"created", {Field::kCreatedAt, 4}},
    {"tweetcreated", {Field::kCreatedAt, 4}},
    {"publishedat", {Field::kCreatedAt, 5}},
    {"published", {Field::kCreatedAt, 5}},
    {"time", {Field::kCreatedAt, 6}},

    {"repostof", {Field::kRepostOf, 0}},
    {"retweetedstatusidstr", {Field::kRepostOf, 1, true}},
    {"retweetedstatusid", {Field::kRepostOf, 2, true}},
    {"retweetedtweetid", {Field::kRepostOf, 3, true}},
    {"retweetof", {Field::kRepostOf, 4}},

    {"replyto", {Field::kReplyTo, 0}},
    {"link", {Field::kLink, 0}},
    {"url", {Field::kLink, 1}},
    {"permalink", {Field::kLink, 1}},

    {"mediaurls", {Field::kMediaUrls, 0}},
    {"mediaurl", {Field::kMediaUrls, 1}},
    {"mediaattachments", {Field::kMediaUrls, 2}},

    {"alttexts", {Field::kAltTexts, 0}},
    {"alttext", {Field::kAltTexts, 1}},
    {"mediaalttexts", {Field::kAltTexts, 2}},
    {"mediaalttext", {Field::kAltTexts, 3}},

    {"inreplytostatusidstr", {Field::kReplyTo, 1, true}},
    {"inreplytostatusid", {Field::kReplyTo, 2, true}},
    {"inreplytotweetid", {Field::kReplyTo, 3, true}},
    {"inreplytoid", {Field::kReplyTo, 4}},
    {"inresponsetotweetid", {Field::kReplyTo, 5, true}},
    {"inresponsetostatusid", {Field::kReplyTo, 5}},
    {"inresponsetopostid", {Field::kReplyTo, 5}},
    {"inresponsetoid", {Field::kReplyTo, 5}},
    {"replytotweetid", {Field::kReplyTo, 6}},
    {"replytostatusid", {Field::kReplyTo, 6}},
    {"replytopostid", {Field::kReplyTo, 6}},
    {"replytoid", {Field::kReplyTo, 6}},
};

constexpr std::pair<std::string_view, FieldName> kUserNames[] = {
    {"idstr", {Field::kAuthorId, 0}},
    {"id", {Field::kAuthorId, 1}},
    {"userid", {Field::kAuthorId, 2}},
    {"authorid", {Field::kAuthorId, 2}},
    {"accountid", {Field::kAuthorId, 2}},
    {"twitterid", {Field::kAuthorId, 3}},
    {"nodeid", {Field::kAuthorId, 3}},
    {"node", {Field::kAuthorId, 4}},

    {"screenname", {Field::kUsername, 0}},
    {"username", {Field::kUsername, 1}},
    {"handle", {Field::kUsername, 2}},
    {"twittername", {Field::kUsername, 3}},
    {"twitterhandle", {Field::kUsername, 3}},
    {"twitter", {Field::kUsername, 4}},
    {"login", {Field::kUsername, 6}},
    {"user", {Field::kUsername, 7}},

    {"displayname", {Field::kDisplayName, 0}},
    {"name", {Field::kDisplayName, 1}},
    {"fullname", {Field::kDisplayName, 2}},

    {"bio", {Field::kBio, 0}},
    {"description", {Field::kBio, 1}},
};

// Names are looked up for every member of every object: no memory is taken for it.
std::optional<FieldName> meaning_of(std::string_view name, Names names) {
  constexpr std::size_t kLongest = 20;
  std::array<char, kLongest> plain{};
  std::size_t size = 0;
  for (char c : name) {
    if (c == '_' || c == '-' || c == ' ') continue;
    if (size == kLongest) return std::nullopt;
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    plain[size++] = c;
  }
  const std::string_view key(plain.data(), size);
  for (const auto& [known, meaning] : names) {
    // The first character tells most apart, without a call to compare the rest.
    if (known.front() == plain.front() && known == key) return meaning;
  }
  return std::nullopt;
}

}  // namespace

std::optional<FieldName> post_field(std::string_view name) { return meaning_of(name, kPostNames); }
std::optional<FieldName> user_field(std::string_view name) { return meaning_of(name, kUserNames); }

template <class Meaning>
Columns Columns::of(std::span<const std::string_view> header, Meaning meaning) {
  Columns columns;
  std::array<unsigned, kFields> ranks{};
  ranks.fill(std::numeric_limits<unsigned>::max());
  for (std::size_t i = 0; i < header.size(); ++i) {
    const auto found = meaning(header[i]);
    columns.of_twitter_ = columns.of_twitter_ || (found && found->of_twitter);
    if (!found || found->rank >= ranks[index(found->field)]) continue;
    ranks[index(found->field)] = found->rank;
    columns.places_[index(found->field)] = i;
  }
  return columns;
}

bool is_twitter_link(std::string_view link) {
  for (const std::string_view start : {"https://", "http://", "www.", "mobile."}) {
    if (link.starts_with(start)) link.remove_prefix(start.size());
  }
  return link.starts_with("twitter.com/") || link.starts_with("x.com/");
}

Columns Columns::of_posts(std::span<const std::string_view> header) {
  return of(header, post_field);
}

Columns Columns::named(std::span<const std::optional<Field>> columns) {
  Columns all;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i]) all.places_[index(*columns[i])] = i;
  }
  return all;
}

Columns Columns::of_users(std::span<const std::string_view> header) {
  Columns columns = of(header, user_field);
  if (!columns.has(Field::kUsername)) {
    columns.places_[index(Field::kUsername)] =
        std::exchange(columns.places_[index(Field::kDisplayName)], std::nullopt);
  }
  return columns;
}

std::optional<Field> Columns::field_of(std::size_t column) const {
  const auto found = std::ranges::find(places_, std::optional(column));
  if (found == places_.end()) return std::nullopt;
  return static_cast<Field>(found - places_.begin());
}

std::string_view field_name(Field field) {
  static constexpr std::array<std::string_view, kFields> kNames{
      "id",        "authorId", "author",  "displayName", "bio",       "text",
      "createdAt", "repostOf", "replyTo", "link",        "mediaUrls", "altTexts"};
  return kNames[static_cast<std::size_t>(field)];
}

std::string_view Columns::cell(std::span<const std::string_view> row, Field field) const {
  const auto& place = places_[index(field)];
  return place && *place < row.size() ? row[*place] : std::string_view();
}

}  // namespace chirp::cli::input
