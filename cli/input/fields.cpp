#include "cli/input/fields.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cli/input/cells.h"

namespace chirp::cli::input {
namespace {

using Name = KnownName;

// Names indexed by first letter, because every member of every object is looked up.
class FieldTable {
 public:
  template <std::size_t... kSizes>
  explicit FieldTable(const Name (&... names)[kSizes]) {
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
    {"tweetid", {Field::kId, 2, Platform::kTwitter}},
    {"statusid", {Field::kId, 2}},
    {"postid", {Field::kId, 2}},
    {"messageid", {Field::kId, 3}},
    {"sourceid", {Field::kId, 3}},
    {"ids", {Field::kId, 4}},
    {"uri", {Field::kId, 10}},

    {"authorid", {Field::kAuthorId, 0}},
    {"useridstr", {Field::kAuthorId, 1}},
    {"userid", {Field::kAuthorId, 2}},
    {"fromuserid", {Field::kAuthorId, 3}},
    {"accountid", {Field::kAuthorId, 4}},
    {"author.id", {Field::kAuthorId, 10}},
    {"user.idstr", {Field::kAuthorId, 10}},
    {"user.id", {Field::kAuthorId, 11}},
    {"account.id", {Field::kAuthorId, 11}},
    {"author.did", {Field::kAuthorId, 12, Platform::kBluesky}},
    {"did", {Field::kAuthorId, 13, Platform::kBluesky}},
    {"pubkey", {Field::kAuthorId, 13, Platform::kNostr}},

    {"author", {Field::kUsername, 0}},
    {"screenname", {Field::kUsername, 1}},
    {"userscreenname", {Field::kUsername, 1}},
    {"username", {Field::kUsername, 2}},
    {"handle", {Field::kUsername, 3}},
    {"authorusername", {Field::kUsername, 3}},
    {"fromuser", {Field::kUsername, 4}},
    {"user", {Field::kUsername, 5}},
    {"account", {Field::kUsername, 6}},
    {"author.username", {Field::kUsername, 10}},
    {"author.handle", {Field::kUsername, 10}},
    {"user.screenname", {Field::kUsername, 10}},
    {"user.username", {Field::kUsername, 10}},
    {"account.username", {Field::kUsername, 10}},
    {"account.acct", {Field::kUsername, 11, Platform::kMastodon}},

    {"displayname", {Field::kDisplayName, 0}},
    {"authorname", {Field::kDisplayName, 1}},
    {"name", {Field::kDisplayName, 2}},
    {"author.name", {Field::kDisplayName, 10}},
    {"author.displayname", {Field::kDisplayName, 10}},
    {"user.name", {Field::kDisplayName, 11}},
    {"user.displayname", {Field::kDisplayName, 10}},
    {"account.displayname", {Field::kDisplayName, 10}},

    {"spoilertext", {Field::kHeading, 0, Platform::kMastodon}},
    {"cw", {Field::kHeading, 0, Platform::kMisskey}},

    {"fulltext", {Field::kText, 0}},
    {"text", {Field::kText, 1}},
    {"content", {Field::kText, 2}},
    {"tweet", {Field::kText, 3}},
    {"tweettext", {Field::kText, 3}},
    {"body", {Field::kText, 4}},
    {"message", {Field::kText, 5}},
    {"rawcontent", {Field::kText, 10, Platform::kTwitter}},
    {"selftext", {Field::kText, 10, Platform::kReddit}},
    {"record.text", {Field::kText, 10, Platform::kBluesky}},
    {"commit.record.text", {Field::kText, 10, Platform::kBluesky}},

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
    {"createdutc", {Field::kCreatedAt, 10, Platform::kReddit}},
    {"record.createdat", {Field::kCreatedAt, 10, Platform::kBluesky}},
    {"commit.record.createdat", {Field::kCreatedAt, 10, Platform::kBluesky}},

    {"repostof", {Field::kRepostOf, 0}},
    {"retweetedstatusidstr", {Field::kRepostOf, 1, Platform::kTwitter}},
    {"retweetedstatusid", {Field::kRepostOf, 2, Platform::kTwitter}},
    {"retweetedtweetid", {Field::kRepostOf, 3, Platform::kTwitter}},
    {"retweetof", {Field::kRepostOf, 4}},
    {"renoteid", {Field::kRepostOf, 10, Platform::kMisskey}},
    {"renote.id", {Field::kRepostOf, 11, Platform::kMisskey}},
    {"reblog.id", {Field::kRepostOf, 10, Platform::kMastodon}},
    {"reblogid", {Field::kRepostOf, 11, Platform::kMastodon}},
    {"reblogofid", {Field::kRepostOf, 11, Platform::kMastodon}},
    {"retweetedstatus.idstr", {Field::kRepostOf, 10, Platform::kTwitter}},
    {"retweetedstatus.id", {Field::kRepostOf, 11, Platform::kTwitter}},
    {"retweetedtweet.id", {Field::kRepostOf, 11, Platform::kTwitter}},
    {"referencedtweets.retweeted.id", {Field::kRepostOf, 10, Platform::kTwitter}},
    {"commit.record.subject.uri", {Field::kRepostOf, 10, Platform::kBluesky}},

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

    {"reblog.content", {Field::kOriginalText, 0}},
    {"renote.text", {Field::kOriginalText, 0}},
    {"retweetedstatus.fulltext", {Field::kOriginalText, 0}},
    {"retweetedstatus.text", {Field::kOriginalText, 1}},

    {"inreplytostatusidstr", {Field::kReplyTo, 1, Platform::kTwitter}},
    {"inreplytostatusid", {Field::kReplyTo, 2, Platform::kTwitter}},
    {"inreplytotweetid", {Field::kReplyTo, 3, Platform::kTwitter}},
    {"inreplytoid", {Field::kReplyTo, 4}},
    {"inresponsetotweetid", {Field::kReplyTo, 5, Platform::kTwitter}},
    {"inresponsetostatusid", {Field::kReplyTo, 5}},
    {"inresponsetopostid", {Field::kReplyTo, 5}},
    {"inresponsetoid", {Field::kReplyTo, 5}},
    {"replytotweetid", {Field::kReplyTo, 6}},
    {"replytostatusid", {Field::kReplyTo, 6}},
    {"replytopostid", {Field::kReplyTo, 6}},
    {"replytoid", {Field::kReplyTo, 6}},
    {"referencedtweets.repliedto.id", {Field::kReplyTo, 10, Platform::kTwitter}},
    {"reply.parent.uri", {Field::kReplyTo, 10, Platform::kBluesky}},
    {"record.reply.parent.uri", {Field::kReplyTo, 10, Platform::kBluesky}},
    {"commit.record.reply.parent.uri", {Field::kReplyTo, 10, Platform::kBluesky}},

    {"edithistorytweetids", {Field::kMark, 0, Platform::kTwitter}},
    {"publicmetrics", {Field::kMark, 0, Platform::kTwitter}},
    {"referencedtweets", {Field::kMark, 0, Platform::kTwitter}},
    {"replysettings", {Field::kMark, 0, Platform::kTwitter}},
};

constexpr ServiceName kServiceNames[] = {
    {Platform::kNostr, "kind", Field::kKind},
    {Platform::kReddit, "title", Field::kHeading},
    {Platform::kReddit, "parent_id", Field::kReplyTo},
    {Platform::kMisskey, "replyId", Field::kReplyTo},
    {Platform::kMisskey, "files", Field::kMediaUrls},
};

// Names of the fields about visibility.
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
    {"subreddittype", {Field::kSubreddit, 0}},
    {"recipient", {Field::kRecipient, 0}},
    {"recipientid", {Field::kRecipient, 1}},
    {"recipientidstr", {Field::kRecipient, 1}},
    {"recipientscreenname", {Field::kRecipient, 1}},
    {"touserid", {Field::kRecipient, 1}},
    {"touser", {Field::kRecipient, 1}},
    {"toroomid", {Field::kRecipient, 1}},
    {"dmconversationid", {Field::kRecipient, 1}},
    {"chatid", {Field::kRecipient, 1}},
    {"conversationtype", {Field::kRecipient, 1}},
    {"recipients", {Field::kRecipient, 1}},
    {"receiver", {Field::kRecipient, 1}},
    {"receiverid", {Field::kRecipient, 1}},
    {"isprivate", {Field::kForSelf, 0}},
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
    {"did", {Field::kAuthorId, 5}},

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
    {"label", {Field::kDisplayName, 3}},

    {"bio", {Field::kBio, 0}},
    {"description", {Field::kBio, 1}},
    {"rawdescription", {Field::kBio, 2}},

    {"protected", {Field::kProtected, 0}},
    {"isprivate", {Field::kProtected, 1}},
};

// Allocates no memory.
std::optional<FieldName> meaning_of(std::string_view name, const FieldTable& names) {
  constexpr std::size_t kLongest = 32;
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
  static const FieldTable kNames(kPostNames, kVisibilityNames);
  return meaning_of(name, kNames);
}
std::optional<Field> visibility_field(std::string_view name) {
  constexpr std::string_view kFirst = "acdilprstuvACDILPRSTUV";  // rules out most names
  if (name.empty() || kFirst.find(name.front()) == std::string_view::npos) return std::nullopt;
  static const FieldTable kNames(kVisibilityNames);
  const auto found = meaning_of(name, kNames);
  return found ? std::optional(found->field) : std::nullopt;
}
std::optional<Field> visibility_of_repeated(std::string_view name) {
  constexpr std::string_view kFirst = "rqRQ";  // rules out most names
  if (name.empty() || kFirst.find(name.front()) == std::string_view::npos) return std::nullopt;
  static constexpr std::array<std::string_view, 8> kPosts{
      "retweetedstatus", "retweetedtweet", "reblog",      "repostof",
      "renote",          "quotedstatus",   "quotedtweet", "quote"};
  const std::string plain = plain_name(name);
  for (const std::string_view post : kPosts) {
    if (!plain.starts_with(post)) continue;
    for (std::size_t at = post.size(); at < plain.size(); at = plain.find('.', at)) {
      if (plain[at] == '.') ++at;
      if (const auto field = visibility_field(std::string_view(plain).substr(at))) return field;
    }
  }
  return std::nullopt;
}
bool is_of_author(std::string_view name) { return plain_name(name) != "protected"; }
bool names_recipient(std::string_view name, const std::function<bool(std::string_view)>& beside) {
  constexpr std::string_view kFirst = "dtgDTG";  // rules out most names
  if (name.empty() || kFirst.find(name.front()) == std::string_view::npos) return false;
  const std::string plain = plain_name(name);
  if (plain == "to" || plain == "dest") return beside("subject") || beside("body");  // Reddit
  return plain == "groupid" && (beside("recipientid") || beside("isread"));          // Misskey
}
std::optional<FieldName> user_field(std::string_view name) {
  static const FieldTable kNames(kUserNames);
  return meaning_of(name, kNames);
}

Escapes escapes_of(Platform service) {
  switch (service) {
    case Platform::kMastodon:
      return Escapes::kMarkup;
    case Platform::kTwitter:
    case Platform::kReddit:
      return Escapes::kHtml;
    default:
      return Escapes::kNone;
  }
}

std::span<const ServiceName> service_names() { return kServiceNames; }

std::vector<KnownName> post_names() {
  std::vector<KnownName> all(std::begin(kPostNames), std::end(kPostNames));
  all.insert(all.end(), std::begin(kVisibilityNames), std::end(kVisibilityNames));
  return all;
}

std::vector<KnownName> user_names() { return {std::begin(kUserNames), std::end(kUserNames)}; }

bool begins_path(std::string_view name) {
  static constexpr std::array<std::string_view, 4> kFirst{"referenced_tweets", "record", "commit",
                                                          "reply"};
  return std::ranges::find(kFirst, name) != kFirst.end();
}

bool is_repeated(std::string_view name) {
  static constexpr std::array<std::string_view, 5> kNames{"retweetedstatus", "reblog", "repostof",
                                                          "retweetedtweet", "renote"};
  return std::ranges::find(kNames, plain_name(name)) != kNames.end();
}

std::string reddit_id(std::string_view id, bool is_post) {
  const bool is_whole = id.starts_with("t1_") || id.starts_with("t3_");
  return fmt::format("{}{}", is_whole ? "" : is_post ? "t3_" : "t1_", id);
}

bool is_deleted(Platform service, std::string_view author, std::string_view text) {
  const auto is_gone = [](std::string_view word) {
    return word == "[deleted]" || word == "[removed]" || word == "[ Removed by Reddit ]";
  };
  return service == Platform::kReddit && (is_gone(author) || is_gone(text));
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
  static constexpr std::array<std::string_view, kFields> kNames{"id",
                                                                "authorId",
                                                                "author",
                                                                "displayName",
                                                                "bio",
                                                                "heading",
                                                                "text",
                                                                "createdAt",
                                                                "repostOf",
                                                                "replyTo",
                                                                "link",
                                                                "mediaUrls",
                                                                "altTexts",
                                                                "originalText",
                                                                "from",
                                                                "to",
                                                                "count",
                                                                "kind",
                                                                "",
                                                                "privacy",
                                                                "visibility",
                                                                "audience",
                                                                "protected",
                                                                "localOnly",
                                                                "subredditType",
                                                                "recipient",
                                                                "isPrivate"};
  return kNames[static_cast<std::size_t>(field)];
}

}  // namespace chirp::cli::input
