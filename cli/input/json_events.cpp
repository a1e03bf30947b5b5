#include "cli/input/json_events.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cli/input/json_fields.h"

namespace chirp::cli::input {
namespace {

namespace dom = simdjson::dom;

using Objects = std::vector<JsonObject>;

constexpr std::string_view kBlueskyPost = "app.bsky.feed.post";
constexpr std::string_view kBlueskyRepost = "app.bsky.feed.repost";

JsonObject deletion(std::optional<SourceId> post, std::optional<SourceId> author) {
  if (!post || !author) return Unusable{"a deletion without the ids of a post and its author"};
  return Deletion{*post, author};
}

std::optional<SourceId> id_in(const dom::object& object, std::string_view key, const IdCells& ids) {
  dom::element value;
  if (object[key].get(value) != simdjson::SUCCESS || value.is_null()) return std::nullopt;
  return json_id(value, [&](std::string_view text) { return ids.any(text); });
}

// Messages of Twitter's streams have one member.
std::optional<Objects> stream_message(const dom::object& object, const IdCells& ids) {
  constexpr std::array<std::string_view, 9> kKinds{
      "limit",         "scrub_geo",   "warning",      "disconnect", "status_withheld",
      "user_withheld", "user_delete", "user_suspend", "friends"};
  if (object.size() != 1) return std::nullopt;
  const std::string_view key = object.begin().key();
  if (key == "delete") {
    const auto message = object_in(object, "delete");
    const auto status = message ? object_in(*message, "status") : std::nullopt;
    if (!status) return Objects{LeftOut{"streamMessages", false}};
    const auto author = id_in(*status, "user_id_str", ids);
    const auto post = id_in(*status, "id_str", ids);
    return Objects{deletion(post ? post : id_in(*status, "id", ids),
                            author ? author : id_in(*status, "user_id", ids))};
  }
  if (std::ranges::find(kKinds, key) == kKinds.end()) return std::nullopt;
  return Objects{LeftOut{"streamMessages", false}};
}

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

// The post that a nostr note answers: what is marked as such, or else the last one it names.
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

Objects nostr_deletions(const dom::object& event, SourceId author, const IdCells& ids) {
  Objects all;
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

std::optional<Objects> nostr_event(JsonFields& fields, const IdCells& ids) {
  // An event without a kind may be private.
  const auto kind = nostr_kind(fields.self);
  if (!kind) return Objects{Unusable{"\"kind\" is not a kind of nostr's events"}};
  const auto author = ids.user(fields.text(Field::kAuthorId));
  if (!author) return Objects{Unusable{"\"pubkey\" is not the id of an author"}};
  switch (*kind) {
    case 0:
      return Objects{nostr_profile(text_in(fields.self, "content"), *author)};
    case 1:
      if (const auto other = answered(fields.self)) fields.put({Field::kReplyTo, 0}, *other);
      return std::nullopt;
    case 5:
      return nostr_deletions(fields.self, *author, ids);
    case 6: {
      const auto repeated = tags_of(fields.self, "e");
      if (repeated.empty()) return Objects{Unusable{"a repost without an \"e\" tag"}};
      fields.put({Field::kRepostOf, 0}, repeated.back().at(1).value());
      fields.drop(Field::kText);  // a copy of the other post
      return std::nullopt;
    }
    default:
      return Objects{left_out_kind(*kind)};
  }
}

std::optional<Objects> bluesky_event(JsonFields& fields, const IdCells& ids) {
  const std::string_view did = fields.text(Field::kAuthorId);
  if (const auto identity = object_in(fields.self, "identity")) {
    const auto id = ids.user(did);
    if (!id) return Objects{Unusable{"\"did\" is not the id of a user"}};
    load::SourceUser user;
    user.id = *id;
    user.username = text_in(*identity, "handle");
    user.display_name = user.username;
    return Objects{std::move(user)};
  }
  const auto commit = object_in(fields.self, "commit");
  if (!commit) {
    const bool is_account = object_in(fields.self, "account").has_value();
    return is_account ? std::optional(Objects{LeftOut{"otherRecords", false}}) : std::nullopt;
  }
  const std::string_view collection = text_in(*commit, "collection");
  if (collection != kBlueskyPost && collection != kBlueskyRepost) {
    return Objects{LeftOut{"otherRecords", false}};
  }
  const std::string_view key = text_in(*commit, "rkey");
  if (key.empty()) return Objects{Unusable{"\"commit\" has no \"rkey\""}};
  fields.made_id = fmt::format("at://{}/{}/{}", did, collection, key);
  if (text_in(*commit, "operation") != "delete") return std::nullopt;
  return Objects{deletion(ids.any(fields.made_id), ids.user(did))};
}

// Posts and comments of Reddit name others by their kind and id.
void complete_reddit(JsonFields& fields) {
  const dom::element* const id = fields.get(Field::kId);
  const auto text = id != nullptr ? json_id_text(*id) : std::nullopt;
  if (text && !text->empty()) fields.made_id = reddit_id(*text, fields.has(Field::kHeading));
}

}  // namespace

LeftOut left_out_kind(std::uint64_t kind) {
  constexpr std::array<std::uint64_t, 4> kPrivate{4, 13, 14, 1059};
  if (std::ranges::find(kPrivate, kind) != kPrivate.end()) return {"directMessages"};
  return {kind == 3 ? "followLists" : "otherKinds", false};
}

std::optional<Objects> event_of(JsonFields& fields, IdCells& ids) {
  switch (fields.service) {
    case Service::kNostr:
      return nostr_event(fields, ids);
    case Service::kBluesky:
      return bluesky_event(fields, ids);
    case Service::kReddit:
      complete_reddit(fields);
      return std::nullopt;
    default:
      return stream_message(fields.self, ids);
  }
}

}  // namespace chirp::cli::input
