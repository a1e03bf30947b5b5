#include "cli/input/nostr.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "cli/input/encoding.h"
#include "cli/input/json_events.h"
#include "cli/input/notations.h"
#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

namespace dom = simdjson::dom;

using ObjectList = std::vector<JsonObject>;

// The values of a nostr event's tags of this name.
std::vector<dom::array> tags_of(const dom::object& event, std::string_view name) {
  std::vector<dom::array> found;
  dom::array tags;
  if (event["tags"].get(tags) != simdjson::SUCCESS) return found;
  for (const dom::element element : tags) {
    dom::array tag;
    if (element.get(tag) != simdjson::SUCCESS || tag.size() < 2) continue;
    if (text_of(tag.at(0).value()) == name) found.push_back(tag);
  }
  return found;
}

// The post that a nostr note answers: the one marked as such, else the last one it names.
std::optional<dom::element> answered(const dom::object& event) {
  std::optional<dom::element> root;
  std::optional<dom::element> last;
  for (const dom::array tag : tags_of(event, "e")) {
    dom::element mark;
    const std::string_view word =
        tag.at(3).get(mark) == simdjson::SUCCESS ? text_of(mark) : std::string_view();
    if (word == "reply") return tag.at(1).value();
    if (word == "root") root = tag.at(1).value();
    if (word.empty()) last = tag.at(1).value();
  }
  return root ? root : last;
}

JsonObject nostr_profile(std::string_view content, SourceId author) {
  dom::parser parser;
  dom::object profile;
  const std::string text(content);
  if (parser.parse(text).get(profile) != simdjson::SUCCESS) {
    return Unusable{"the content of a profile is not a JSON object"};
  }
  load::SourceUser user;
  user.id = author;
  user.username = text_in(profile, "name");
  user.display_name = text_in(profile, "display_name");
  if (user.display_name.empty()) user.display_name = user.username;
  user.bio = text_in(profile, "about");
  return user;
}

ObjectList nostr_deletions(const dom::object& event, SourceId author, const IdCells& ids) {
  ObjectList all;
  for (const dom::array tag : tags_of(event, "e")) {
    all.push_back(deletion(ids.any(text_of(tag.at(1).value())), author));
  }
  if (all.empty()) all.push_back(LeftOut{"otherKinds", false});
  return all;
}

std::optional<std::uint64_t> nostr_kind(const dom::object& event) {
  dom::element kind;
  if (event["kind"].get(kind) != simdjson::SUCCESS) return std::nullopt;
  const auto text = json_id_text(kind);
  const auto number = text ? parse_source_id(*text) : std::nullopt;
  return number ? std::optional(number->value) : std::nullopt;
}

}  // namespace

std::optional<ObjectList> nostr_event(JsonFields& fields, const IdCells& ids) {
  // An event without a kind may be private.
  const auto kind = nostr_kind(fields.self);
  if (!kind) return ObjectList{Unusable{"\"kind\" is not a kind of nostr's events"}};
  const auto author = ids.user(fields.text(Field::kAuthorId));
  if (!author) return ObjectList{Unusable{"\"pubkey\" is not the id of an author"}};
  switch (*kind) {
    case 0:
      return ObjectList{nostr_profile(text_in(fields.self, "content"), *author)};
    case 1:
      if (const auto other = answered(fields.self)) fields.put({Field::kReplyTo, 0}, *other);
      return std::nullopt;
    case 5:
      return nostr_deletions(fields.self, *author, ids);
    case 6: {
      const auto repeated = tags_of(fields.self, "e");
      if (repeated.empty()) return ObjectList{Unusable{"a repost without an \"e\" tag"}};
      fields.put({Field::kRepostOf, 0}, repeated.back().at(1).value());
      fields.drop(Field::kText);  // a copy of the other post
      return std::nullopt;
    }
    default:
      return ObjectList{left_out_kind(*kind)};
  }
}

LeftOut left_out_kind(std::uint64_t kind) {
  constexpr std::array<std::uint64_t, 4> kPrivate{4, 13, 14, 1059};
  if (std::ranges::find(kPrivate, kind) != kPrivate.end()) return {"directMessages"};
  return {kind == 3 ? "followLists" : "otherKinds", false};
}

bool looks_like_nostr(std::string_view head) {
  head.remove_prefix(std::min(head.find('{'), head.size()));
  bool author = false;
  bool kind = false;
  each_json_member(head, [&](std::string_view key, char) {
    author = author || key == "pubkey";
    kind = kind || key == "kind";
  });
  return author && kind;
}

FollowLists::FollowLists(EdgeSink sink, std::size_t bytes_max)
    : sink_(std::move(sink)), parser_(std::make_unique<dom::parser>()), bytes_max_(bytes_max) {}
FollowLists::~FollowLists() = default;

void FollowLists::read(TextBuffer& buffer, std::string_view name, BadLines& bad) {
  if (sink_.understood) sink_.understood({.format = "nostr's follow lists"});
  buffer.allow_pages();
  const std::string_view head = buffer.unread();
  if (head.starts_with('{') && are_json_lines(head)) {
    Lines lines(buffer);
    while (const auto line = lines.next()) {
      if (line->kind == LineKind::kTooLong) {
        bad.add({name, line->number}, too_long("line", buffer.record_max()));
      } else if (!trimmed(line->text).empty()) {
        take({.text = line->text, .line = line->number, .problem = {}}, name, bad);
      }
    }
    return;
  }
  JsonValues values(buffer);
  while (const auto value = values.next()) take(*value, name, bad);
}

void FollowLists::take(const JsonPiece& piece, std::string_view name, BadLines& bad) {
  const InputPlace place{name, piece.line};
  if (!piece.problem.empty()) {
    return bad.add(place, piece.problem + "; the rest of the file is not read");
  }
  dom::element value;
  dom::object event;
  constexpr bool kCopied = false;  // the text is followed by padding
  const auto code = parser_->parse(piece.text.data(), piece.text.size(), kCopied).get(value);
  if (code == simdjson::MEMALLOC) throw std::bad_alloc();
  if (code != simdjson::SUCCESS) {
    const auto wrong = no_utf8(piece.text, piece.column);
    bad.add({name, piece.line + (wrong ? wrong->lines : 0)},
            wrong ? wrong->words : fmt::format("not valid JSON: {}", error_message(code)));
  } else if (value.get(event) != simdjson::SUCCESS) {
    bad.add(place, "expected an event, an object, here");
  } else if (const std::string why = take(event, name); !why.empty()) {
    bad.add(place, why);
  }
}

std::string FollowLists::take(const dom::object& event, std::string_view name) {
  const auto kind = nostr_kind(event);
  if (!kind) return "\"kind\" is not a kind of nostr's events";
  if (*kind != 0 && *kind != 3) {
    ++other_;
    return {};
  }
  const auto author = sink_.ids.any(text_in(event, "pubkey"));
  if (!author) return "\"pubkey\" is not the id of an author";
  Version version{.created_at = 0, .event_id = std::string(text_in(event, "id"))};
  if (event["created_at"].get(version.created_at) != simdjson::SUCCESS) {
    return "\"created_at\" is not a time in seconds, so the newest event is not known";
  }
  if (*kind == 3) return take_list(event, *author, std::move(version), name);
  JsonObject profile = nostr_profile(text_in(event, "content"), *author);
  if (auto* const wrong = std::get_if<Unusable>(&profile)) return std::move(wrong->why);
  const auto [at, is_first] = profiles_.try_emplace(author->value);
  if (!is_first && !version.replaces(at->second.version)) return {};
  Profile next{std::move(version), std::get<load::SourceUser>(std::move(profile))};
  remember(size_of(next), is_first ? 0 : size_of(at->second), name);
  at->second = std::move(next);
  return {};
}

std::string FollowLists::take_list(const dom::object& event, SourceId author, Version&& version,
                                   std::string_view name) {
  if (!event["tags"].is_array()) return "\"tags\" is not an array";
  List next{std::move(version), {}};
  for (const dom::array tag : tags_of(event, "p")) {
    const std::string_view text = text_of(tag.at(1).value());
    const auto id = sink_.ids.any(text);
    if (!id) {
      return fmt::format("\"{}\" in a \"p\" tag is not the id of a user", printable(text, 80));
    }
    next.followees.push_back(*id);
  }
  const auto [at, is_first] = lists_.try_emplace(author.value);
  List& list = at->second;
  if (!is_first) {
    if (next.version == list.version) return {};  // a duplicate of the event
    ++older_;
    if (!next.version.replaces(list.version)) return {};
  }
  next.followees.shrink_to_fit();
  remember(size_of(next), is_first ? 0 : size_of(list), name);
  list = std::move(next);
  return {};
}

// Includes the overhead of the maps for each author.
std::size_t FollowLists::size_of(const List& list) {
  return 128 + list.version.event_id.size() + list.followees.size() * sizeof(SourceId);
}
std::size_t FollowLists::size_of(const Profile& profile) {
  const load::SourceUser& user = profile.user;
  return 256 + profile.version.event_id.size() + user.username.size() + user.display_name.size() +
         user.bio.size();
}

void FollowLists::remember(std::size_t bytes, std::size_t replaced, std::string_view name) {
  bytes_ += bytes;
  bytes_ -= replaced;
  if (bytes_ <= bytes_max_) return;
  throw Error(ErrorCode::kBadInput,
              fmt::format("{}: the newest events of all authors need more than {} MiB until the "
                          "last file is read: load the authors in parts",
                          name, bytes_max_ >> 20));
}

std::uint64_t FollowLists::end() {
  for (const auto& [author, profile] : std::exchange(profiles_, {})) {
    if (sink_.node) sink_.node(profile.user);
  }
  EdgeRun run(sink_);
  std::vector<std::uint64_t> authors;
  authors.reserve(lists_.size());
  for (const auto& [author, list] : lists_) authors.push_back(author);
  std::ranges::sort(authors);
  for (const std::uint64_t author : authors) {
    for (const SourceId followee : lists_.at(author).followees) {
      run.put({SourceId{author}, followee});
    }
  }
  lists_.clear();
  return run.end();
}

}  // namespace chirp::cli::input
