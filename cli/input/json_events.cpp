#include "cli/input/json_events.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "cli/input/nostr.h"

namespace chirp::cli::input {
namespace {

namespace dom = simdjson::dom;

using ObjectList = std::vector<JsonObject>;

constexpr std::string_view kBlueskyPost = "app.bsky.feed.post";
constexpr std::string_view kBlueskyRepost = "app.bsky.feed.repost";

std::optional<SourceId> id_in(const dom::object& object, std::string_view key, const IdCells& ids) {
  dom::element value;
  if (object[key].get(value) != simdjson::SUCCESS || value.is_null()) return std::nullopt;
  return json_id(value, [&](std::string_view text) { return ids.any(text); });
}

// Messages of Twitter's streams have one member.
std::optional<ObjectList> stream_message(const dom::object& object, const IdCells& ids) {
  constexpr std::array<std::string_view, 9> kKinds{
      "limit",         "scrub_geo",   "warning",      "disconnect", "status_withheld",
      "user_withheld", "user_delete", "user_suspend", "friends"};
  if (object.size() != 1) return std::nullopt;
  const std::string_view key = object.begin().key();
  if (key == "delete") {
    const auto message = object_in(object, "delete");
    const auto status = message ? object_in(*message, "status") : std::nullopt;
    if (!status) return ObjectList{LeftOut{"streamMessages", false}};
    const auto author = id_in(*status, "user_id_str", ids);
    const auto post = id_in(*status, "id_str", ids);
    return ObjectList{deletion(post ? post : id_in(*status, "id", ids),
                               author ? author : id_in(*status, "user_id", ids))};
  }
  if (std::ranges::find(kKinds, key) == kKinds.end()) return std::nullopt;
  return ObjectList{LeftOut{"streamMessages", false}};
}

std::optional<ObjectList> bluesky_event(JsonFields& fields, const IdCells& ids) {
  const std::string_view did = fields.text(Field::kAuthorId);
  if (const auto identity = object_in(fields.self, "identity")) {
    const auto id = ids.user(did);
    if (!id) return ObjectList{Unusable{"\"did\" is not the id of a user"}};
    load::SourceUser user;
    user.id = *id;
    user.username = text_in(*identity, "handle");
    user.display_name = user.username;
    return ObjectList{std::move(user)};
  }
  const auto commit = object_in(fields.self, "commit");
  if (!commit) {
    const bool is_account = object_in(fields.self, "account").has_value();
    return is_account ? std::optional(ObjectList{LeftOut{"otherRecords", false}}) : std::nullopt;
  }
  const std::string_view collection = text_in(*commit, "collection");
  if (collection != kBlueskyPost && collection != kBlueskyRepost) {
    return ObjectList{LeftOut{"otherRecords", false}};
  }
  const std::string_view key = text_in(*commit, "rkey");
  if (key.empty()) return ObjectList{Unusable{"\"commit\" has no \"rkey\""}};
  fields.made_id = fmt::format("at://{}/{}/{}", did, collection, key);
  if (text_in(*commit, "operation") != "delete") return std::nullopt;
  return ObjectList{deletion(ids.any(fields.made_id), ids.user(did))};
}

// Reddit's posts and comments refer to others by kind and id.
void complete_reddit(JsonFields& fields) {
  const dom::element* const id = fields.get(Field::kId);
  const auto text = id != nullptr ? json_id_text(*id) : std::nullopt;
  if (text && !text->empty()) fields.made_id = reddit_id(*text, fields.has(Field::kHeading));
}

}  // namespace

JsonObject deletion(std::optional<SourceId> post, std::optional<SourceId> author) {
  if (!post || !author) return Unusable{"a deletion without the ids of a post and its author"};
  return Deletion{*post, author};
}

std::optional<ObjectList> event_of(JsonFields& fields, IdCells& ids) {
  switch (fields.service) {
    case Platform::kNostr:
      return nostr_event(fields, ids);
    case Platform::kBluesky:
      return bluesky_event(fields, ids);
    case Platform::kReddit:
      complete_reddit(fields);
      return std::nullopt;
    default:
      return stream_message(fields.self, ids);
  }
}

}  // namespace chirp::cli::input
