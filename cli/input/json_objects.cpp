#include "cli/input/json_objects.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <simdjson.h>

#include "cli/input/encoding.h"
#include "cli/input/html.h"
#include "cli/input/json_audience.h"
#include "cli/input/json_events.h"
#include "cli/input/json_fields.h"
#include "cli/input/json_values.h"
#include "cli/input/lines.h"
#include "cli/input/notations.h"
#include "cli/input/plain_text.h"
#include "core/error.h"
#include "core/load/post_check.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kDepthMax = 64;
constexpr const char* kComment =
    "a comment of a chirp export; load the whole export with `chirp load export DIR`";
static_assert(TextBuffer::kPadding >= simdjson::SIMDJSON_PADDING);

class ObjectReader {
 public:
  ObjectReader(Escapes escapes, const Times& times, IdCells& ids, const JsonPage* page)
      : said_(escapes), times_(times), ids_(ids), page_(page) {}

  // Delivers the object's contents; false if no more is wanted.
  bool read(const dom::object& object, const TakeObject& take) {
    JsonFields post = JsonFields::of_post(object);
    if (page_ != nullptr && post.service == Platform::kAny) post.service = page_->service();
    escapes_ = said_ == Escapes::kByObject ? escapes_of(post.service) : said_;
    if (auto others = event_of(post, ids_)) {
      return std::ranges::all_of(*others, [&](JsonObject& one) { return take(std::move(one)); });
    }
    JsonObject read = read_post(post);
    return std::ranges::all_of(protected_, [&](auto& user) { return take(std::move(user)); }) &&
           take(std::move(read));
  }

  // Delivers the protected users that come with a page's posts; false if no more is wanted.
  bool read_users(const dom::object& page, const TakeObject& take) const {
    dom::array users;
    if (page["includes"]["users"].get(users) != simdjson::SUCCESS) return true;
    return std::ranges::all_of(users, [&](const dom::element& one) {
      dom::object user;
      if (one.get(user) != simdjson::SUCCESS ||
          audience_of_author(user).audience == Audience::kPublic)
        return true;
      const JsonFields members = JsonFields::of_user(user);
      const auto* const id = members.get(Field::kAuthorId);
      return take(ProtectedUser{id ? user_id(*id) : std::nullopt, names_of(members).username});
    });
  }

 private:
  JsonObject read_post(const JsonFields& post) {
    // A repost may have no text: the words are the original's.
    const bool repeats = post.has(Field::kRepostOf) || post.repeated;
    const bool says_more = repeats || (post.service != Platform::kAny && is_somebodys(post));
    if (post.has(Field::kText) || post.extended || (says_more && is_dated(post))) {
      return post_of(post);
    }
    if (is_dated(post) && is_somebodys(post)) return Unusable{"no text"};
    const JsonFields user = JsonFields::of_user(post.self);
    if (user.has(Field::kUsername) && user.has(Field::kAuthorId)) return user_of(user);
    if (is_dated(post)) return Unusable{"no text"};
    return Unrelated{names_of_members(post.self)};
  }

  static std::string names_of_members(const dom::object& object) {
    constexpr std::size_t kMost = 3;
    std::string names;
    std::size_t count = 0;
    for (const auto [key, value] : object) {
      if (++count > kMost) return names + ", …";
      names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", printable(key, 40));
    }
    return names;
  }

  static bool is_dated(const JsonFields& post) {
    return (post.has(Field::kId) || !post.made_id.empty()) && post.has(Field::kCreatedAt);
  }
  // Whether it has more than a user object: an author beside its own id, or a parent.
  static bool is_somebodys(const JsonFields& post) {
    constexpr unsigned kNotOfUsers = 4;  // from this rank on, names are used only for authors
    const unsigned name = post.rank(Field::kUsername);
    return post.has_text_key || post.user || post.has(Field::kAuthorId) ||
           post.has(Field::kReplyTo) ||
           (post.has(Field::kUsername) && (name == 0 || name >= kNotOfUsers));
  }

  std::optional<SourceId> user_id(const dom::element& value) const {
    return json_id(value, [this](auto text) { return ids_.user(text); });
  }

  std::string plain(std::string_view text) const {
    return escapes_ == Escapes::kHtml ? html_unescaped(text) : std::string(text);
  }

  // Returns an error in the post's own id, or empty.
  std::optional<std::string> read_id(const JsonFields& fields, load::SourcePost& post) {
    const dom::element* const id = fields.get(Field::kId);
    std::optional<SourceId> own;
    if (!fields.made_id.empty()) {
      own = ids_.post(fields.made_id);
    } else if (id != nullptr) {
      own = json_id(*id, [this](auto text) { return ids_.post(text); });
    } else {
      return "no id";
    }
    if (!own) {
      return fmt::format("the id {} is {}", id == nullptr ? printable(fields.made_id) : shown(*id),
                         ids_.expected_post(id == nullptr ? fields.made_id : text_of(*id)));
    }
    post.id = *own;
    ids_.took_post(*own);
    return std::nullopt;
  }

  JsonObject post_of(const JsonFields& members) {
    // Its `postId` is the parent post, whose visibility it does not tell.
    if (members.self["commentId"].error() == simdjson::SUCCESS) return Unusable{kComment};
    JsonAudience seen_by = audience_of(members.self);
    const std::optional<dom::object> author = author_object(members);
    if (author && !members.user) {
      JsonAudience of_author = audience_of_author(*author);
      seen_by.audience = std::min(seen_by.audience, of_author.audience);
      seen_by.is_author_protected |= of_author.audience != Audience::kPublic;
      if (!of_author.problem.empty()) seen_by.problem = std::move(of_author.problem);
    }
    if (!seen_by.problem.empty()) return Unusable{std::move(seen_by.problem)};
    const auto privacy = privacy_of(seen_by.audience);
    if (!privacy) return LeftOut{"directMessages"};
    load::SourcePost post;
    post.privacy = *privacy;
    if (auto problem = read_id(members, post)) return Unusable{*std::move(problem)};
    if (auto problem = read_author(members, author, post)) return Unusable{*std::move(problem)};
    if (seen_by.is_author_protected) protected_.push_back({post.author_id, post.username});
    const dom::element* const time = members.get(Field::kCreatedAt);
    if (time == nullptr) return Unusable{"no creation time"};
    if (const auto when = json_time(*time, times_)) {
      post.created_at = *when;
    } else {
      return Unusable{times_.problem(time->is_string() ? text_of(*time) : shown(*time))};
    }
    if (is_deleted(members.service, post.username, text_in(members))) {
      return LeftOut{"deletedPosts"};
    }
    PostText text = plain_text(members);
    if (!text.problem.empty()) return Unusable{std::move(text.problem)};
    post.text = std::move(text.text);
    if (auto problem = read_links(members, post)) return Unusable{*std::move(problem)};
    post.media = media_of(members.get(Field::kMediaUrls), members.get(Field::kAltTexts));
    for (load::SourceMedium& medium : post.media) medium.alt_text = plain(medium.alt_text);
    return settled(members.service, std::move(post));
  }

  // Applies the rules of the service for reposts, quotes and empty posts.
  static JsonObject settled(Platform service, load::SourcePost&& post) {
    if (service == Platform::kAny || service == Platform::kTwitter) return std::move(post);
    if (service == Platform::kMastodon && post.repost_of)
      post.text.clear();  // it is the original's
    const bool is_empty = trimmed(post.text).empty() && post.media.empty();
    if (!post.repost_of) {
      return is_empty ? JsonObject(LeftOut{"emptyPosts"}) : JsonObject(std::move(post));
    }
    if (!is_empty) {  // a quote
      post.repost_of.reset();
      post.original.clear();
      post.original_problem.clear();
    }
    return std::move(post);
  }

  // The author as an object: in the post, or among the users of a page.
  std::optional<dom::object> author_object(const JsonFields& members) const {
    if (members.user || page_ == nullptr) return members.user;
    const dom::element* const id = members.get(Field::kAuthorId);
    return id == nullptr ? std::nullopt : page_->user(*id);
  }

  PostText plain_text(const JsonFields& members) const {
    PostText text{.text = std::string(text_in(members)), .problem = {}};
    if (escapes_ == Escapes::kMarkup) {
      text = text_of_status(members.self, text.text);
    } else {
      text.text = plain(text.text);
    }
    text.text = below_heading(plain(members.text(Field::kHeading)), std::move(text.text));
    return text;
  }

  // Returns an error in the id of another post, or empty.
  std::optional<std::string> read_link(const dom::element* id, std::string_view what,
                                       std::optional<SourceId>& link) const {
    if (id == nullptr || (id->is_string() && says_nothing(text_of(*id)))) return std::nullopt;
    link = json_id(*id, [this](auto text) { return ids_.link(text); });
    if (link) return std::nullopt;
    return fmt::format("the id {} of what it {} is {}", shown(*id), what,
                       ids_.expected_post(text_of(*id)));
  }

  // Reads the ids of the repeated and the answered post.
  std::optional<std::string> read_links(const JsonFields& members, load::SourcePost& post) {
    if (auto problem = read_link(members.get(Field::kReplyTo), "answers", post.reply_to)) {
      return problem;
    }
    if (auto problem = read_link(members.get(Field::kRepostOf), "repeats", post.repost_of)) {
      return problem;
    }
    if (members.has_odd_original) post.original_problem = "the tweet is not an object";
    if (const auto other = repeated_object(members)) {
      const JsonFields inner = JsonFields::of_post(*other);
      const dom::element* const id = inner.get(Field::kId);
      if (id == nullptr && is_reference(inner)) return "the reposted object has no id";
      if (auto problem = read_link(id, "repeats", post.repost_of)) return problem;
      if (!is_reference(inner)) read_original(inner, post);
    }
    if (post.reply_to == post.id) post.reply_to.reset();
    if (post.repost_of == post.id) {
      post.repost_of.reset();
      post.original.clear();
      post.original_problem.clear();
    }
    return std::nullopt;
  }

  // The repeated post as an object: in the repost, or among the posts of a page.
  [[nodiscard]] std::optional<dom::object> repeated_object(const JsonFields& members) const {
    const dom::element* const id = members.get(Field::kRepostOf);
    if (page_ == nullptr || id == nullptr) return members.repeated;
    const auto beside = page_->post(*id);
    return beside ? beside : members.repeated;
  }

  // Whether it only refers to the other post, as a repost of Twitter's API may.
  static bool is_reference(const JsonFields& inner) {
    return !inner.has(Field::kText) && !inner.extended && !inner.has(Field::kCreatedAt);
  }

  void read_original(const JsonFields& inner, load::SourcePost& post) {
    JsonObject original =
        inner.repeated ? JsonObject(Unusable{"the original is a repost"}) : post_of(inner);
    if (auto* const whole = std::get_if<load::SourcePost>(&original)) {
      const bool same_author = whole->author_id && whole->author_id == post.author_id;
      post.privacy = load::privacy_of_repost(post.privacy, whole->privacy, same_author);
      // Without a mark such as "RT @mira:" the words are the other author's.
      if (whole->text == post.text) post.text.clear();
      post.original.push_back(std::move(*whole));
      return;
    }
    if (plain_text(inner).text == post.text) post.text.clear();
    auto* const wrong = std::get_if<Unusable>(&original);
    post.original_problem =
        wrong != nullptr ? std::move(wrong->why) : "it is visible only to the users it mentions";
  }

  static std::string_view text_in(const JsonFields& members) {
    if (members.extended) {
      const JsonFields extended = JsonFields::of_post(*members.extended);
      if (const auto text = text_in(extended); !text.empty()) return text;
    }
    return members.text(Field::kText);
  }

  std::optional<std::string> read_author_id(const JsonFields& fields, std::string_view whose,
                                            load::SourcePost& post) const {
    const dom::element* const id = fields.get(Field::kAuthorId);
    if (id == nullptr) return std::nullopt;
    post.author_id = user_id(*id);
    if (post.author_id) return std::nullopt;
    return fmt::format("the {} id {} is {}", whose, shown(*id), ids_.expected_user(text_of(*id)));
  }

  std::optional<std::string> read_author(const JsonFields& members,
                                         const std::optional<dom::object>& author,
                                         load::SourcePost& post) const {
    if (auto problem = read_author_id(members, "author", post)) return problem;
    if (const dom::element* const name = members.get(Field::kUsername)) {
      post.username = username_of(*name);
    }
    if (const dom::element* const name = members.get(Field::kDisplayName)) {
      post.display_name = plain(text_of(*name));
    }
    if (!author) return std::nullopt;
    const JsonFields user = JsonFields::of_user(*author);
    if (auto problem = read_author_id(user, "user", post)) return problem;
    load::SourceUser named = names_of(user);
    post.username = std::move(named.username);
    post.display_name = std::move(named.display_name);
    post.bio = std::move(named.bio);
    return std::nullopt;
  }

  JsonObject user_of(const JsonFields& members) const {
    const auto id = user_id(*members.get(Field::kAuthorId));
    if (!id) {
      return Unusable{fmt::format("the user id {} is {}", shown(*members.get(Field::kAuthorId)),
                                  ids_.expected_user())};
    }
    load::SourceUser user = names_of(members);
    user.id = *id;
    JsonAudience posts = audience_of_author(members.self);
    if (!posts.problem.empty()) return Unusable{std::move(posts.problem)};
    user.is_protected = posts.audience != Audience::kPublic;
    return user;
  }

  load::SourceUser names_of(const JsonFields& members) const {
    load::SourceUser user;
    if (const auto* const name = members.get(Field::kUsername)) user.username = username_of(*name);
    if (const auto* const name = members.get(Field::kDisplayName)) {
      user.display_name = plain(text_of(*name));
    }
    if (const auto* const bio = members.get(Field::kBio)) user.bio = plain(text_of(*bio));
    const bool is_account = members.self["acct"].error() == simdjson::SUCCESS;
    if (is_account && user.bio.empty())
      user.bio = text_of_html(input::text_in(members.self, "note")).text;
    return user;
  }

  static std::string username_of(const dom::element& value) {
    std::string_view name = trimmed(text_of(value));
    if (name.starts_with('@')) name.remove_prefix(1);
    return std::string(name);
  }

  static std::string shown(const dom::element& value) {
    return printable(simdjson::minify(value), 40);
  }

  Escapes said_;
  Escapes escapes_ = Escapes::kNone;  // of the object being read
  const Times& times_;
  IdCells& ids_;
  const JsonPage* page_;
  std::vector<ProtectedUser> protected_{};  // authors in the object being read
};

std::string words_of(simdjson::error_code code) {
  switch (code) {
    case simdjson::DEPTH_ERROR:
      return fmt::format("the JSON is nested deeper than {}", kDepthMax);
    case simdjson::MEMALLOC:
      throw std::bad_alloc();
    default:
      return fmt::format("not valid JSON: {}", simdjson::error_message(code));
  }
}

}  // namespace

struct JsonObjects::Parser {
  dom::parser json;
};

JsonObjects::JsonObjects(Escapes escapes, Times times)
    : escapes_(escapes), times_(std::move(times)), parser_(std::make_unique<Parser>()) {
  if (parser_->json.allocate(kRecordMax, kDepthMax) != simdjson::SUCCESS) throw std::bad_alloc();
}
JsonObjects::~JsonObjects() = default;

bool JsonObjects::read(std::string_view text, IdCells& ids, const TakeObject& take,
                       std::size_t column) {
  dom::element root;
  constexpr bool kCopied = false;  // the text is followed by padding
  if (const auto code = parser_->json.parse(text.data(), text.size(), kCopied).get(root)) {
    const auto wrong = no_utf8(text, column);
    if (code == simdjson::UTF8_ERROR && wrong) return take(Unusable{wrong->words, wrong->lines});
    if (auto odd = odd_word_in(text, column))
      return take(Unusable{std::move(odd->words), odd->lines});
    return take(Unusable{words_of(code)});
  }
  dom::object object;
  if (root.get(object) != simdjson::SUCCESS) return take(Unusable{"not a JSON object"});
  const auto page = JsonPage::of(object);
  if (!page) return ObjectReader(escapes_, times_, ids, nullptr).read(object, take);
  if (!ObjectReader(escapes_, times_, ids, &*page).read_users(object, take)) return false;
  return std::ranges::all_of(page->objects(), [&](const dom::object& one) {
    return ObjectReader(escapes_, times_, ids, &*page).read(one, take);
  });
}

}  // namespace chirp::cli::input
