#include "cli/load/archive/activities.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <simdjson.h>

#include "cli/input/html.h"
#include "cli/input/notations.h"
#include "cli/load/archive/json_members.h"
#include "core/error.h"
#include "core/model/names.h"
#include "core/social/media.h"

namespace chirp::cli::archive {
namespace {

namespace dom = simdjson::dom;

// From here on the addresses of files are the same in an archive and on any server.
constexpr std::string_view kMediaFolder = "media_attachments/";

std::string_view file_key(std::string_view address) {
  const std::size_t at = address.rfind(kMediaFolder);
  if (at != std::string_view::npos) return address.substr(at);
  return address.substr(std::min(address.find_first_not_of('/'), address.size()));
}

std::vector<input::HtmlMention> mentions_of(const dom::object& note) {
  std::vector<input::HtmlMention> mentions;
  for (const dom::object tag : objects_in(note, "tag")) {
    if (text_in(tag, "type") != "Mention") continue;
    mentions.push_back({std::string(text_in(tag, "href")), std::string(text_in(tag, "name"))});
  }
  return mentions;
}

// The text; if it has only texts per language, one of those.
std::string_view content_of(const dom::object& note) {
  const std::string_view content = text_in(note, "content");
  if (!content.empty()) return content;
  for (const auto& [language, value] : object_in(note, "contentMap")) {
    std::string_view text;
    if (value.get(text) == simdjson::SUCCESS && !text.empty()) return text;
  }
  return {};
}

std::vector<std::string_view> choices_of(const dom::object& note) {
  std::vector<std::string_view> choices;
  for (const char* const kind : {"oneOf", "anyOf"}) {
    for (const dom::object choice : objects_in(note, kind)) {
      if (const auto name = input::trimmed(text_in(choice, "name")); !name.empty()) {
        choices.push_back(name);
      }
    }
  }
  return choices;
}

// The warning, `content`, and the choices of a poll.
std::string text_of(const dom::object& note, std::string content) {
  std::string text(input::trimmed(text_in(note, "summary")));
  if (!text.empty() && !content.empty()) text += "\n\n";
  text += content;
  const auto choices = choices_of(note);
  if (!text.empty() && !choices.empty()) text += '\n';
  for (const std::string_view choice : choices) {
    text += fmt::format("{}- {}", text.empty() ? "" : "\n", choice);
  }
  return text;
}

// Whether a medium's web address can be kept.
bool can_be_kept(std::string_view address) {
  try {
    (void)social::medium_at(std::string(address));
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::string_view address_of(const dom::object& object, std::string_view key) {
  const std::string_view address = text_in(object, key);
  return address.empty() ? text_in(object_in(object, key), "id") : address;
}

// Returns the narrowest audience that the addresses and the words of an activity and of its object
// name; kNamed if neither has addresses. `followers` is the address of the account's followers.
input::JsonAudience audience_of(const dom::object& activity, const dom::object& object,
                                std::string_view followers) {
  const auto is_followers = [&](std::string_view address) { return address == followers; };
  const auto outer = input::addressed_to(activity, is_followers);
  const auto inner = input::addressed_to(object, is_followers);
  input::JsonAudience all = input::audience_by_words(activity);
  const input::JsonAudience words = input::audience_by_words(object);
  if (!words.problem.empty()) all.problem = words.problem;
  const input::Audience addressed = outer && inner
                                        ? std::min(*outer, *inner)
                                        : outer.value_or(inner.value_or(input::Audience::kNamed));
  all.audience = std::min({all.audience, words.audience, addressed});
  return all;
}

}  // namespace

struct Activities::Parser {
  explicit Parser(const Activities& activities) : of(activities) {}

  const Activities& of;
  dom::parser json;
  input::InputPlace place;

  // Returns what is wrong, or an empty text.
  std::string take(const dom::object& activity);
  std::string take_note(const dom::object& note, input::Audience audience);
  std::string take_boost(const dom::object& activity, input::Audience audience);
  void take_files(const dom::object& note, load::SourcePost& post) const;
  static std::string_view address_of_file(const dom::object& attachment);

  void skip(const char* kind, const dom::object& what) const {
    of.sink_.skip(kind, 1,
                  fmt::format("{}:{}: {}", place.name, place.line, printable(text_in(what, "id"))));
  }
  // Returns empty if only the users it names may see it.
  [[nodiscard]] std::optional<Privacy> privacy_of(input::Audience audience) const {
    return input::privacy_of(audience, of.sink_.unlisted);
  }
};

std::string Activities::Parser::take(const dom::object& activity) {
  const std::string_view actor = address_of(activity, "actor");
  if (!actor.empty() && actor != of.actor_.id) {
    skip("othersActivities", activity);
    return {};
  }
  const std::string_view type = text_in(activity, "type");
  const dom::object object = object_in(activity, "object");
  // A boost has the audience of the boost, not that of the original.
  const bool boost = type == "Announce";
  const auto [audience, is_protected, problem] =
      audience_of(activity, boost ? no_object() : object, of.actor_.followers);
  if (!problem.empty()) return problem;
  if (boost) return take_boost(activity, audience);
  const std::string_view kind = text_in(object, "type");
  if (type != "Create" || (kind != "Note" && kind != "Question" && kind != "Article")) {
    skip("otherActivities", activity);
    return {};
  }
  return take_note(object, audience);
}

std::string Activities::Parser::take_boost(const dom::object& activity, input::Audience audience) {
  const auto privacy = privacy_of(audience);
  if (!privacy) {
    skip("directMessages", activity);
    return {};
  }
  if (*privacy != Privacy::kPublic) {
    skip("hiddenReposts", activity);
    return {};
  }
  load::SourcePost post;
  const auto id = of.sink_.id(text_in(activity, "id"));
  const auto original = of.sink_.id(address_of(activity, "object"));
  const auto when = input::parse_when(text_in(activity, "published"));
  if (!id || !original) return "a boost without an \"id\", or an \"object\" that is not an address";
  if (!when) return "a boost without a time in \"published\"";
  post.id = *id;
  post.created_at = *when;
  post.repost_of = original;
  of.sink_.post(std::move(post), place);
  return {};
}

std::string Activities::Parser::take_note(const dom::object& note, input::Audience audience) {
  const auto privacy = privacy_of(audience);
  if (!privacy) {
    skip("directMessages", note);
    return {};
  }
  const std::string_view author = address_of(note, "attributedTo");
  if (!author.empty() && author != of.actor_.id) {
    skip("othersActivities", note);
    return {};
  }
  load::SourcePost post;
  const auto id = of.sink_.id(text_in(note, "id"));
  if (!id) return "a post without an \"id\"";
  const auto when = input::parse_when(text_in(note, "published"));
  if (!when) return "a post without a time in \"published\"";
  post.id = *id;
  post.created_at = *when;
  post.privacy = *privacy;
  if (const std::string_view answered = address_of(note, "inReplyTo"); !answered.empty()) {
    post.reply_to = of.sink_.id(answered);
    if (!post.reply_to) return "\"inReplyTo\" is no id of a post";
  }
  const auto mentions = mentions_of(note);
  input::HtmlText content =
      input::text_of_html(content_of(note), {.mentions = mentions, .home = of.actor_.host});
  if (!content.problem.empty()) return content.problem;
  post.text = text_of(note, std::move(content.text));
  take_files(note, post);
  if (text_in(note, "type") == "Question") skip("pollVotes", note);
  if (post.text.empty() && post.media.empty()) {
    skip("emptyPosts", note);
    return {};
  }
  of.sink_.post(std::move(post), place);
  return {};
}

// Mastodon gives the address as a text, Akkoma and Pleroma as a list of links.
std::string_view Activities::Parser::address_of_file(const dom::object& attachment) {
  const std::string_view address = text_in(attachment, "url");
  if (!address.empty()) return address;
  for (const dom::object link : objects_in(attachment, "url")) {
    if (const std::string_view href = text_in(link, "href"); !href.empty()) return href;
  }
  return {};
}

void Activities::Parser::take_files(const dom::object& note, load::SourcePost& post) const {
  for (const dom::object attachment : objects_in(note, "attachment")) {
    const std::string_view address = address_of_file(attachment);
    const auto file = of.files_.find(std::string(file_key(address)));
    load::SourceMedium medium;
    if (file != of.files_.end()) {
      medium.file = file->second;
    } else if (can_be_kept(address)) {
      medium.address = address;
    } else {
      of.sink_.skip("mediaWithoutFile", 1,
                    fmt::format("{}: not in the archive", printable(address)));
      continue;
    }
    medium.alt_text = text_in(attachment, "name");
    medium.link = text_in(note, "url");  // where readers can see it, if it can't be kept
    post.media.push_back(std::move(medium));
  }
  // A warning with words is kept, because it says more.
  if (!post.media.empty() && flag_in(note, "sensitive") && text_in(note, "summary").empty()) {
    skip("sensitiveMarks", note);
  }
}

Activities::Activities(const Tree& tree, std::string_view base, const Actor& actor,
                       const Sink& sink)
    : actor_(actor), sink_(sink), parser_(std::make_unique<Parser>(*this)) {
  for (const std::string& path : tree.paths()) {
    if (!path.starts_with(base)) continue;
    files_.emplace(file_key(std::string_view(path).substr(base.size())), path);
  }
}
Activities::~Activities() = default;

void Activities::take(const input::JsonPiece& piece, const std::string& file) {
  parser_->place = {file, piece.line};
  if (!piece.problem.empty()) return sink_.bad.add(parser_->place, piece.problem);
  dom::element root;
  dom::object activity;
  constexpr bool kCopied = false;  // the buffer has padding after the text
  const auto code = parser_->json.parse(piece.text.data(), piece.text.size(), kCopied).get(root);
  if (code != simdjson::SUCCESS) {
    return sink_.bad.add(parser_->place,
                         fmt::format("not valid JSON: {}", simdjson::error_message(code)));
  }
  if (root.get(activity) != simdjson::SUCCESS) {
    return sink_.bad.add(parser_->place, "expected an activity, an object, here");
  }
  if (const std::string why = parser_->take(activity); !why.empty()) {
    sink_.bad.add(parser_->place, why);
  }
}

}  // namespace chirp::cli::archive
