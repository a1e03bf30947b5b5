#include "cli/input/fields.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cli/input/cells.h"

namespace chirp::cli::input {
namespace {

// Names of one field. The first have this rank; a bar stands between names of a rank and those of
// the next one. They are in lower case, without `_`, `-` and blanks.
struct Names {
  Field field;
  std::uint8_t rank;
  std::string_view names;
  Platform service = Platform::kAny;  // the only service that uses them
};

std::vector<KnownName> known_names(std::span<const Names> table) {
  std::vector<KnownName> all;
  for (const Names& one : table) {
    FieldName meaning{one.field, one.rank, one.service};
    for (const std::string_view name : cells_of(one.names, ' ')) {
      if (name == "|") {
        ++meaning.rank;
      } else {
        all.emplace_back(name, meaning);
      }
    }
  }
  return all;
}

// Names indexed by first letter, because every member of every object is looked up.
class FieldTable {
 public:
  explicit FieldTable(std::vector<KnownName> names) : names_(std::move(names)) {
    std::ranges::stable_sort(names_, {}, [](const KnownName& name) { return name.first.front(); });
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

  std::vector<KnownName> names_;
  std::array<std::size_t, 256> first_{};  // 1 + index of the first name; 0: none
};

constexpr Names kPostNames[] = {
    {Field::kId, 0, "idstr | id | statusid postid | messageid sourceid | ids"},
    {Field::kId, 10, "uri"},
    {Field::kId, 2, "tweetid", Platform::kTwitter},
    {Field::kAuthorId, 0, "authorid | useridstr | userid | fromuserid | accountid"},
    {Field::kAuthorId, 10, "author.id user.idstr | user.id account.id"},
    {Field::kAuthorId, 12, "author.did | did", Platform::kBluesky},
    {Field::kAuthorId, 13, "pubkey", Platform::kNostr},
    {Field::kUsername, 0,
     "author | screenname userscreenname | username | handle authorusername | fromuser | user | "
     "account"},
    {Field::kUsername, 10,
     "author.username author.handle user.screenname user.username account.username"},
    {Field::kUsername, 11, "account.acct", Platform::kMastodon},
    {Field::kDisplayName, 0, "displayname | authorname | name"},
    {Field::kDisplayName, 10,
     "author.name author.displayname user.displayname account.displayname | user.name"},
    {Field::kHeading, 0, "spoilertext", Platform::kMastodon},
    {Field::kHeading, 0, "cw", Platform::kMisskey},
    {Field::kText, 0, "fulltext | text | content | tweet tweettext | body | message"},
    {Field::kText, 10, "rawcontent", Platform::kTwitter},
    {Field::kText, 10, "selftext", Platform::kReddit},
    {Field::kText, 10, "record.text commit.record.text", Platform::kBluesky},
    {Field::kCreatedAt, 0,
     "createdat | timestampms | timestamp | datetime | date created tweetcreated | publishedat "
     "published | time"},
    {Field::kCreatedAt, 10, "createdutc", Platform::kReddit},
    {Field::kCreatedAt, 10, "record.createdat commit.record.createdat", Platform::kBluesky},
    {Field::kRepostOf, 0, "repostof"},
    {Field::kRepostOf, 4, "retweetof"},
    {Field::kRepostOf, 1, "retweetedstatusidstr | retweetedstatusid | retweetedtweetid",
     Platform::kTwitter},
    {Field::kRepostOf, 10,
     "retweetedstatus.idstr referencedtweets.retweeted.id | retweetedstatus.id "
     "retweetedtweet.id",
     Platform::kTwitter},
    {Field::kRepostOf, 10, "renoteid | renote.id", Platform::kMisskey},
    {Field::kRepostOf, 10, "reblog.id | reblogid reblogofid", Platform::kMastodon},
    {Field::kRepostOf, 10, "commit.record.subject.uri", Platform::kBluesky},
    {Field::kReplyTo, 0, "replyto"},
    {Field::kReplyTo, 4,
     "inreplytoid | inresponsetostatusid inresponsetopostid inresponsetoid | replytotweetid "
     "replytostatusid replytopostid replytoid"},
    {Field::kReplyTo, 1, "inreplytostatusidstr | inreplytostatusid | inreplytotweetid",
     Platform::kTwitter},
    {Field::kReplyTo, 5, "inresponsetotweetid", Platform::kTwitter},
    {Field::kReplyTo, 10, "referencedtweets.repliedto.id", Platform::kTwitter},
    {Field::kReplyTo, 10, "reply.parent.uri record.reply.parent.uri commit.record.reply.parent.uri",
     Platform::kBluesky},
    {Field::kLink, 0, "link | url permalink"},
    {Field::kMediaUrls, 0, "mediaurls | mediaurl | mediaattachments"},
    {Field::kAltTexts, 0, "alttexts | alttext | mediaalttexts | mediaalttext"},
    {Field::kOriginalText, 0,
     "reblog.content renote.text retweetedstatus.fulltext | retweetedstatus.text"},
    {Field::kMark, 0, "edithistorytweetids publicmetrics referencedtweets replysettings",
     Platform::kTwitter},
};

constexpr ServiceName kServiceNames[] = {
    {Platform::kNostr, "kind", Field::kKind},
    {Platform::kReddit, "title", Field::kHeading},
    {Platform::kReddit, "parent_id", Field::kReplyTo},
    {Platform::kMisskey, "replyId", Field::kReplyTo},
    {Platform::kMisskey, "files", Field::kMediaUrls},
};

// Names of the fields about visibility.
constexpr Names kVisibilityNames[] = {
    {Field::kPrivacy, 0, "privacy"},
    {Field::kVisibility, 0, "visibility"},
    {Field::kAudience, 0, "audience"},
    {Field::kProtected, 0,
     "protected | userprotected user.protected authorprotected author.protected account.protected"},
    {Field::kLocalOnly, 0, "localonly"},
    {Field::kSubreddit, 0, "subreddittype"},
    {Field::kRecipient, 0,
     "recipient | recipientid recipientidstr recipientscreenname touserid touser toroomid "
     "dmconversationid chatid conversationtype recipients receiver receiverid"},
    {Field::kForSelf, 0, "isprivate"},
};

constexpr Names kUserNames[] = {
    {Field::kAuthorId, 0, "idstr | id | userid authorid accountid | twitterid nodeid | node | did"},
    {Field::kUsername, 0, "screenname | username | handle | twittername twitterhandle | twitter"},
    {Field::kUsername, 6, "login | user"},
    {Field::kDisplayName, 0, "displayname | name | fullname | label"},
    {Field::kBio, 0, "bio | description | rawdescription"},
    {Field::kProtected, 0, "protected | isprivate"},
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
  static const FieldTable kNames(post_names());
  return meaning_of(name, kNames);
}
std::optional<Field> visibility_field(std::string_view name) {
  constexpr std::string_view kFirst = "acdilprstuvACDILPRSTUV";  // rules out most names
  if (name.empty() || kFirst.find(name.front()) == std::string_view::npos) return std::nullopt;
  static const FieldTable kNames(known_names(kVisibilityNames));
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
  static const FieldTable kNames(user_names());
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
  std::vector<KnownName> all = known_names(kPostNames);
  std::ranges::move(known_names(kVisibilityNames), std::back_inserter(all));
  return all;
}

std::vector<KnownName> user_names() { return known_names(kUserNames); }

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
  static const auto kNames = cells_of(
      "id authorId author displayName bio heading text createdAt repostOf replyTo link "
      "mediaUrls altTexts originalText from to count kind mark privacy visibility audience "
      "protected localOnly subredditType recipient isPrivate",
      ' ');
  return kNames[static_cast<std::size_t>(field)];
}

bool names_follower(std::string_view name) {
  static constexpr std::array<std::string_view, 22> kNames{
      "follower", "followerid", "from",   "fromid", "fromnode", "fromnodeid", "fromuser", "source",
      "sourceid", "src",        "user",   "userid", "user1",    "usera",      "id",       "id1",
      "node",     "node1",      "nodeid", "u",      "a",        "start"};
  return std::ranges::find(kNames, plain_name(name)) != kNames.end();
}

bool names_followee(std::string_view name) {
  static constexpr std::array<std::string_view, 25> kNames{
      "followee", "followeeid", "followed", "followedid", "follows", "following", "to",
      "toid",     "tonode",     "tonodeid", "touser",     "target",  "targetid",  "dst",
      "dest",     "friend",     "friendid", "other",      "user2",   "userb",     "id2",
      "node2",    "v",          "b",        "end"};
  return std::ranges::find(kNames, plain_name(name)) != kNames.end();
}

bool names_person(std::string_view name) {
  static constexpr std::array<std::string_view, 10> kNames{
      "person", "member",  "label",   "nickname", "who",
      "whom",   "person1", "person2", "name1",    "name2"};
  return std::ranges::find(kNames, plain_name(name)) != kNames.end();
}

Header header_of(std::string_view first, std::string_view second) {
  if (names_follower(first) && names_followee(second)) return Header::kKnown;
  return names_followee(first) && names_follower(second) ? Header::kReversed : Header::kUnknown;
}

std::optional<Field> tie_field(std::string_view name) {
  if (names_follower(name)) return Field::kFrom;
  if (names_followee(name)) return Field::kTo;
  const std::string key = plain_name(name);
  if (key == "count" || key == "weight") return Field::kCount;
  if (key == "time" || key == "timestamp" || key == "createdat") return Field::kCreatedAt;
  if (key == "kind" || key == "type") return Field::kKind;
  return std::nullopt;
}

}  // namespace chirp::cli::input
