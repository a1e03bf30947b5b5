#include "cli/input/fields.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/notations.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

using Name = std::pair<std::string_view, FieldName>;

// Names indexed by first letter, because every member of every object is looked up.
class NameTable {
 public:
  template <std::size_t... kSizes>
  explicit NameTable(const Name (&... names)[kSizes]) {
    (names_.insert(names_.end(), std::begin(names), std::end(names)), ...);
    std::ranges::stable_sort(names_, {}, [](const Name& name) { return name.first.front(); });
    for (std::size_t i = names_.size(); i-- > 0;) first_[letter(names_[i].first.front())] = i + 1;
  }
  // `name` is in lower case, without `_`, `-` and blanks.
  [[nodiscard]] std::optional<FieldName> find(std::string_view name) const {
    if (name.empty()) return std::nullopt;
    const std::size_t first = first_[letter(name.front())];
    if (first == 0) return std::nullopt;
    for (std::size_t i = first - 1; i < names_.size(); ++i) {
      if (names_[i].first.front() != name.front()) break;
      if (names_[i].first == name) return names_[i].second;
    }
    return std::nullopt;
  }

 private:
  static std::size_t letter(char c) { return static_cast<unsigned char>(c); }

  std::vector<Name> names_;
  std::array<std::size_t, 256> first_{};  // 1 + index of the first name; 0: none
};

constexpr Name kPostNames[] = {
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

// Names of the fields that say who may see a post.
constexpr Name kVisibilityNames[] = {
    {"privacy", {Field::kPrivacy, 0}},
    {"visibility", {Field::kVisibility, 0}},
    {"audience", {Field::kAudience, 0}},
    {"protected", {Field::kProtected, 0}},
    {"userprotected", {Field::kProtected, 1}},
    {"user.protected", {Field::kProtected, 1}},
    {"authorprotected", {Field::kProtected, 1}},
    {"author.protected", {Field::kProtected, 1}},
    {"account.protected", {Field::kProtected, 1}},
    {"localonly", {Field::kLocalOnly, 0}},
    {"recipient", {Field::kRecipient, 0}},
    {"recipientid", {Field::kRecipient, 1}},
    {"recipientidstr", {Field::kRecipient, 1}},
    {"recipientscreenname", {Field::kRecipient, 1}},
    {"touserid", {Field::kRecipient, 1}},
};

constexpr Name kUserNames[] = {
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

    {"protected", {Field::kProtected, 0}},
};

// The keywords of chirp, Mastodon and its relatives, Misskey, Twitter and ActivityPub. "private" is
// missing, because its meaning differs between services.
constexpr std::pair<std::string_view, Audience> kAudiences[] = {
    {"public", Audience::kPublic},
    {"everyone", Audience::kPublic},
    {"as:public", Audience::kPublic},
    {"https://www.w3.org/ns/activitystreams#public", Audience::kPublic},
    {"unlisted", Audience::kUnlisted},
    {"home", Audience::kUnlisted},
    {"local", Audience::kUnlisted},
    {"quietpublic", Audience::kUnlisted},
    {"followers", Audience::kFollowers},
    {"followersonly", Audience::kFollowers},
    {"protected", Audience::kFollowers},
    {"self", Audience::kSelf},
    {"onlyme", Audience::kSelf},
    {"mutualsonly", Audience::kSelf},
    {"mutuals", Audience::kSelf},
    {"friends", Audience::kSelf},
    {"circle", Audience::kSelf},
    {"list", Audience::kSelf},
    {"direct", Audience::kNamed},
    {"specified", Audience::kNamed},
    {"limited", Audience::kNamed},
};

std::optional<bool> flag_in(std::string_view word) {
  constexpr std::array<std::string_view, 6> kYes{"true", "t", "yes", "y", "1", "1.0"};
  constexpr std::array<std::string_view, 6> kNo{"false", "f", "no", "n", "0", "0.0"};
  if (std::ranges::find(kYes, word) != kYes.end()) return true;
  return std::ranges::find(kNo, word) != kNo.end() ? std::optional(false) : std::nullopt;
}

// Allocates no memory.
std::optional<FieldName> meaning_of(std::string_view name, const NameTable& names) {
  constexpr std::size_t kLongest = 20;
  std::array<char, kLongest> plain{};
  std::size_t size = 0;
  for (char c : name) {
    if (c == '_' || c == '-' || c == ' ') continue;
    if (size == kLongest) return std::nullopt;
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    plain[size++] = c;
  }
  return names.find({plain.data(), size});
}

}  // namespace

std::optional<FieldName> post_field(std::string_view name) {
  static const NameTable kNames(kPostNames, kVisibilityNames);
  return meaning_of(name, kNames);
}
std::optional<Field> visibility_field(std::string_view name) {
  constexpr std::string_view kFirst = "paluvrtPALUVRT";  // rules out most names
  if (name.empty() || kFirst.find(name.front()) == std::string_view::npos) return std::nullopt;
  static const NameTable kNames(kVisibilityNames);
  const auto found = meaning_of(name, kNames);
  return found ? std::optional(found->field) : std::nullopt;
}
std::optional<FieldName> user_field(std::string_view name) {
  static const NameTable kNames(kUserNames);
  return meaning_of(name, kNames);
}

std::optional<Privacy> privacy_of(Audience audience, Privacy unlisted) {
  switch (audience) {
    case Audience::kNamed:
      return std::nullopt;
    case Audience::kSelf:
      return Privacy::kPrivate;
    case Audience::kFollowers:
      return Privacy::kFollowers;
    case Audience::kUnlisted:
      return unlisted;
    case Audience::kPublic:
      return Privacy::kPublic;
  }
  return std::nullopt;
}

std::optional<Audience> audience_in(Field field, std::string_view value, bool of_mastodon) {
  const std::string word = plain_name(trimmed(value));
  if (trimmed(value).empty()) return Audience::kPublic;
  if (field == Field::kRecipient) return Audience::kNamed;
  if (field == Field::kProtected || field == Field::kLocalOnly) {
    const auto flag = flag_in(word);
    if (!flag) return std::nullopt;
    if (!*flag) return Audience::kPublic;
    return field == Field::kProtected ? Audience::kFollowers : Audience::kUnlisted;
  }
  if (word == "private") {
    const bool shown_to_followers = of_mastodon && field == Field::kVisibility;
    return shown_to_followers ? Audience::kFollowers : Audience::kSelf;
  }
  for (const auto& [known, audience] : kAudiences) {
    if (word == known) return audience;
  }
  return std::nullopt;
}

std::string unknown_audience(std::string_view name, Field field, std::string_view value) {
  const bool is_flag = field == Field::kProtected || field == Field::kLocalOnly;
  return fmt::format("\"{}\" is \"{}\", which is not {}", printable(name, 40), printable(value, 40),
                     is_flag ? "true or false"
                             : "public, unlisted, followers, private, direct or a known word of "
                               "another service");
}

bool is_mastodon_name(std::string_view name) {
  static constexpr std::array<std::string_view, 7> kNames{
      "spoilertext",        "reblog",       "reblogscount",    "favouritescount",
      "inreplytoaccountid", "account.acct", "account.username"};
  const std::string key = plain_name(name);
  return std::ranges::find(kNames, key) != kNames.end();
}

bool is_twitter_link(std::string_view link) {
  for (const std::string_view start : {"https://", "http://", "www.", "mobile."}) {
    if (link.starts_with(start)) link.remove_prefix(start.size());
  }
  return link.starts_with("twitter.com/") || link.starts_with("x.com/");
}

std::string_view field_name(Field field) {
  static constexpr std::array<std::string_view, kFields> kNames{
      "id",        "authorId",  "author",    "displayName", "bio",       "text",
      "createdAt", "repostOf",  "replyTo",   "link",        "mediaUrls", "altTexts",
      "from",      "to",        "count",     "kind",        "privacy",   "visibility",
      "audience",  "protected", "localOnly", "recipient"};
  return kNames[static_cast<std::size_t>(field)];
}

}  // namespace chirp::cli::input
