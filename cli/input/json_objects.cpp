#include "cli/input/json_objects.h"

#include <array>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "cli/input/encoding.h"
#include "cli/input/fields.h"
#include "cli/input/json_audience.h"
#include "cli/input/json_media.h"
#include "cli/input/lines.h"
#include "cli/input/notations.h"
#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kDepthMax = 64;
constexpr const char* kComment =
    "a comment of a chirp export; load the whole export with `chirp load export DIR`";
static_assert(TextBuffer::kPadding >= simdjson::SIMDJSON_PADDING);

std::string_view text_of(const dom::element& value) {
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS ? text : std::string_view();
}

// What `read` makes of a member that is an id; a number is taken as its digits are.
template <class Read>
std::optional<SourceId> id_of(const dom::element& value, Read read) {
  std::uint64_t number = 0;
  if (value.get(number) == simdjson::SUCCESS) {
    return number <= load::kSourceIdMax ? std::optional(SourceId{number})
                                        : read(std::string_view(std::to_string(number)));
  }
  if (double real = 0; value.get(real) == simdjson::SUCCESS) return source_id(real);
  return read(text_of(value));
}

std::optional<Time> time_of(const dom::element& value, const Times& times) {
  if (std::int64_t number = 0; value.get(number) == simdjson::SUCCESS) return unix_time(number);
  if (double number = 0; value.get(number) == simdjson::SUCCESS) return unix_time(number);
  return times.read(text_of(value));
}

// The members of an object that mean something, the best name of each.
struct Members {
  dom::object self;
  std::array<dom::element, kFields> values;
  std::array<unsigned, kFields> ranks;
  std::optional<dom::object> user;
  std::optional<dom::object> retweeted;
  bool has_odd_original = false;  // where the other tweet should be, there is no object
  std::optional<dom::object> extended;
  bool has_id_str = false;
  bool has_text_key = false;  // null, too
  bool of_twitter = false;    // a member has a name of Twitter's

  Members() { ranks.fill(std::numeric_limits<unsigned>::max()); }

  [[nodiscard]] const dom::element* get(Field field) const {
    const auto at = static_cast<std::size_t>(field);
    return ranks[at] == std::numeric_limits<unsigned>::max() ? nullptr : &values[at];
  }
  void put(const FieldName& name, const dom::element& value) {
    const auto at = static_cast<std::size_t>(name.field);
    if (value.is_null() || name.rank >= ranks[at]) return;
    ranks[at] = name.rank;
    values[at] = value;
  }
  // An object or array says nothing, but where the id of another post should stand it is a fault.
  void put_link(const std::optional<FieldName>& name, const dom::element& value) {
    if (name && (name->field == Field::kReplyTo || name->field == Field::kRepostOf)) {
      put(*name, value);
    }
  }
  // A post may have more than one medium.
  void put_array(const std::optional<FieldName>& name, const dom::element& value) {
    put_link(name, value);
    if (name && (name->field == Field::kMediaUrls || name->field == Field::kAltTexts)) {
      put(*name, value);
    }
  }
};

bool is_odd_original(const dom::element& value) {
  if (value.is_string()) return !says_nothing(text_of(value));
  return value.is_array() || value.is_number();
}

template <class Meaning>
Members members_of(const dom::object& object, Meaning meaning) {
  Members members;
  members.self = object;
  for (const auto [key, value] : object) {
    dom::object inner;
    if (key == "retweeted_status") members.has_odd_original = is_odd_original(value);
    if (value.get(inner) == simdjson::SUCCESS) {
      if (key == "user" || key == "author" || key == "account") members.user = inner;
      const bool retweeted = key == "retweeted_status" || key == "reblog" || key == "repostOf";
      if (retweeted) members.retweeted = inner;
      if (key == "extended_tweet") members.extended = inner;
      if (!retweeted) members.put_link(meaning(key), value);
      continue;
    }
    if (value.is_array()) {
      members.put_array(meaning(key), value);
      continue;
    }
    if (key == "id_str") members.has_id_str = true;
    if (const auto name = meaning(key)) {
      if (name->field == Field::kText) members.has_text_key = true;
      members.of_twitter = members.of_twitter || name->of_twitter;
      members.put(*name, value);
    }
  }
  return members;
}

class Reading {
 public:
  Reading(Escapes escapes, const Times& times, IdCells& ids)
      : escapes_(escapes), times_(times), ids_(ids) {}

  JsonObject read(const dom::object& object) {
    const Members post = members_of(object, post_field);
    if (escapes_ == Escapes::kByObject) {
      const dom::element* const link = post.get(Field::kLink);
      const bool twitter =
          (post.has_id_str && (post.user || post.get(Field::kUsername) != nullptr)) ||
          post.of_twitter || (link != nullptr && is_twitter_link(text_of(*link)));
      escapes_ = twitter ? Escapes::kHtml : Escapes::kNone;
    }
    // A repost may be without a text: what it says is the other post's.
    const bool repeats = post.get(Field::kRepostOf) != nullptr || post.retweeted;
    if (post.get(Field::kText) != nullptr || post.extended || (repeats && is_dated(post))) {
      return post_of(post);
    }
    if (is_dated(post) && is_somebodys(post)) return Unusable{"no text"};
    const Members user = members_of(object, user_field);
    if (user.get(Field::kUsername) != nullptr && user.get(Field::kAuthorId) != nullptr) {
      return user_of(user);
    }
    if (is_dated(post)) return Unusable{"no text"};
    return Unrelated{};
  }

 private:
  static bool is_dated(const Members& post) {
    return post.get(Field::kId) != nullptr && post.get(Field::kCreatedAt) != nullptr;
  }
  // Says more than a user object would: whose it is beside its own id, or what it answers.
  static bool is_somebodys(const Members& post) {
    constexpr unsigned kNotOfUsers = 4;  // from this rank on names of an author alone
    const unsigned name = post.ranks[static_cast<std::size_t>(Field::kUsername)];
    return post.has_text_key || post.user || post.get(Field::kAuthorId) != nullptr ||
           post.get(Field::kReplyTo) != nullptr ||
           (post.get(Field::kUsername) != nullptr && (name == 0 || name >= kNotOfUsers));
  }

  std::optional<SourceId> user_id(const dom::element& value) const {
    return id_of(value, [this](auto text) { return ids_.user(text); });
  }

  std::string plain(std::string_view text) const {
    return escapes_ == Escapes::kHtml ? html_unescaped(text) : std::string(text);
  }

  JsonObject post_of(const Members& members) {
    // Its `postId` is the parent post, and it does not say who may see that.
    if (members.self["commentId"].error() == simdjson::SUCCESS) return Unusable{kComment};
    JsonAudience seen_by = audience_of(members.self);
    if (!seen_by.problem.empty()) return Unusable{std::move(seen_by.problem)};
    const auto privacy = privacy_of(seen_by.audience);
    if (!privacy) return NotForReaders{};
    load::SourcePost post;
    post.privacy = *privacy;
    const dom::element* const id = members.get(Field::kId);
    if (id == nullptr) return Unusable{"no id"};
    if (const auto own = id_of(*id, [this](auto text) { return ids_.post(text); })) {
      post.id = *own;
      ids_.took_post(*own);
    } else {
      return Unusable{fmt::format("the id {} is {}", shown(*id), ids_.expected_post(text_of(*id)))};
    }
    if (auto problem = read_author(members, post)) return Unusable{*std::move(problem)};
    const dom::element* const time = members.get(Field::kCreatedAt);
    if (time == nullptr) return Unusable{"no time of writing"};
    if (const auto when = time_of(*time, times_)) {
      post.created_at = *when;
    } else {
      return Unusable{times_.problem(time->is_string() ? text_of(*time) : shown(*time))};
    }
    post.text = plain(text_in(members));
    if (auto problem = read_links(members, post)) return Unusable{*std::move(problem)};
    post.media = media_of(members.get(Field::kMediaUrls), members.get(Field::kAltTexts));
    for (load::SourceMedium& medium : post.media) medium.alt_text = plain(medium.alt_text);
    return post;
  }

  // What is wrong with the id of another post, if something is.
  std::optional<std::string> read_link(const dom::element* id, std::string_view what,
                                       std::optional<SourceId>& link) const {
    if (id == nullptr || (id->is_string() && says_nothing(text_of(*id)))) return std::nullopt;
    link = id_of(*id, [this](auto text) { return ids_.link(text); });
    if (link) return std::nullopt;
    return fmt::format("the id {} of what it {} is {}", shown(*id), what,
                       ids_.expected_post(text_of(*id)));
  }

  // What it repeats and answers.
  std::optional<std::string> read_links(const Members& members, load::SourcePost& post) {
    if (auto problem = read_link(members.get(Field::kReplyTo), "answers", post.reply_to)) {
      return problem;
    }
    if (auto problem = read_link(members.get(Field::kRepostOf), "repeats", post.repost_of)) {
      return problem;
    }
    if (members.has_odd_original) post.original_problem = "what should be a tweet is no object";
    if (members.retweeted) {
      const Members inner = members_of(*members.retweeted, post_field);
      const dom::element* const id = inner.get(Field::kId);
      if (id == nullptr && is_reference(inner)) return "what it repeats has no id";
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

  // Names the other post and says nothing of it, as a repost of the API may.
  static bool is_reference(const Members& inner) {
    return inner.get(Field::kText) == nullptr && !inner.extended &&
           inner.get(Field::kCreatedAt) == nullptr;
  }

  void read_original(const Members& inner, load::SourcePost& post) {
    JsonObject original =
        inner.retweeted ? JsonObject(Unusable{"it repeats another one itself"}) : post_of(inner);
    if (auto* const whole = std::get_if<load::SourcePost>(&original)) {
      // Without a mark such as "RT @mira:" these words are the other author's alone.
      if (whole->text == post.text) post.text.clear();
      post.original.push_back(std::move(*whole));
      return;
    }
    if (plain(text_in(inner)) == post.text) post.text.clear();
    auto* const wrong = std::get_if<Unusable>(&original);
    post.original_problem =
        wrong != nullptr ? std::move(wrong->why) : "it is for the people whom it names";
  }

  static std::string_view text_in(const Members& members) {
    if (members.extended) {
      const Members extended = members_of(*members.extended, post_field);
      if (const auto text = text_in(extended); !text.empty()) return text;
    }
    const dom::element* const text = members.get(Field::kText);
    return text == nullptr ? std::string_view() : text_of(*text);
  }

  std::optional<std::string> read_author(const Members& members, load::SourcePost& post) const {
    if (const dom::element* const id = members.get(Field::kAuthorId)) {
      post.author_id = user_id(*id);
      if (!post.author_id) {
        return fmt::format("the author id {} is {}", shown(*id), ids_.expected_user(text_of(*id)));
      }
    }
    if (const dom::element* const name = members.get(Field::kUsername)) {
      post.username = username_of(*name);
    }
    if (const dom::element* const name = members.get(Field::kDisplayName)) {
      post.display_name = plain(text_of(*name));
    }
    if (!members.user) return std::nullopt;
    const Members user = members_of(*members.user, user_field);
    if (const dom::element* const id = user.get(Field::kAuthorId)) {
      post.author_id = user_id(*id);
      if (!post.author_id) {
        return fmt::format("the user id {} is {}", shown(*id), ids_.expected_user(text_of(*id)));
      }
    }
    load::SourceUser named = names_of(user);
    post.username = std::move(named.username);
    post.display_name = std::move(named.display_name);
    post.bio = std::move(named.bio);
    return std::nullopt;
  }

  JsonObject user_of(const Members& members) const {
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

  load::SourceUser names_of(const Members& members) const {
    load::SourceUser user;
    if (const auto* const name = members.get(Field::kUsername)) user.username = username_of(*name);
    if (const auto* const name = members.get(Field::kDisplayName)) {
      user.display_name = plain(text_of(*name));
    }
    if (const auto* const bio = members.get(Field::kBio)) user.bio = plain(text_of(*bio));
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

  Escapes escapes_;
  const Times& times_;
  IdCells& ids_;
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

JsonObject JsonObjects::read(std::string_view text, IdCells& ids, std::size_t column) {
  dom::element root;
  constexpr bool kCopied = false;  // there is room behind the text
  if (const auto code = parser_->json.parse(text.data(), text.size(), kCopied).get(root)) {
    const auto wrong = no_utf8(text, column);
    if (code == simdjson::UTF8_ERROR && wrong) return Unusable{wrong->words, wrong->lines};
    return Unusable{words_of(code)};
  }
  dom::object object;
  if (root.get(object) != simdjson::SUCCESS) return Unusable{"not a JSON object"};
  return Reading(escapes_, times_, ids).read(object);
}

}  // namespace chirp::cli::input
