#include "cli/input/json_page.h"

#include <algorithm>

#include "cli/input/json_fields.h"

namespace chirp::cli::input {
namespace {

namespace dom = simdjson::dom;

using ById = std::unordered_map<std::string, dom::object>;

// Returns the objects of an array, or the single object.
std::vector<dom::object> objects_at(const dom::object& parent, std::string_view key) {
  std::vector<dom::object> found;
  dom::element value;
  if (parent[key].get(value) != simdjson::SUCCESS) return found;
  dom::object object;
  if (value.get(object) == simdjson::SUCCESS) found.push_back(object);
  dom::array all;
  if (value.get(all) != simdjson::SUCCESS) return found;
  for (const dom::element one : all) {
    if (one.get(object) == simdjson::SUCCESS) found.push_back(object);
  }
  return found;
}

ById by_id(const dom::object& includes, std::string_view key) {
  ById found;
  for (const dom::object& one : objects_at(includes, key)) {
    dom::element id;
    if (one["id"].get(id) != simdjson::SUCCESS) continue;
    if (const auto text = json_id_text(id)) found.emplace(*text, one);
  }
  return found;
}

std::optional<dom::object> found_in(const ById& all, const dom::element& id) {
  const auto at = all.find(json_id_text(id).value_or(std::string()));
  return at == all.end() ? std::nullopt : std::optional(at->second);
}

// Whether all members of the object are those of a page.
bool is_wrapping(const dom::object& object) {
  return std::all_of(object.begin(), object.end(), [](const auto& member) {
    const std::string_view key = member.key;
    return key == "data" || key == "includes" || key == "meta" || key == "errors" ||
           key == "__twarc" || key == "matching_rules" || key == "statuses" ||
           key == "search_metadata";
  });
}

}  // namespace

std::optional<JsonPage> JsonPage::of(const dom::object& object) {
  if (object.size() == 0 || !is_wrapping(object)) return std::nullopt;
  JsonPage page;
  const bool has_statuses = object["statuses"].error() == simdjson::SUCCESS;
  page.objects_ = objects_at(object, has_statuses ? "statuses" : "data");
  const bool is_last = object["meta"].error() == simdjson::SUCCESS;  // of a search, without posts
  if (page.objects_.empty() && !is_last) return std::nullopt;
  if (object.size() > 1) page.service_ = Platform::kTwitter;
  if (const auto includes = object_in(object, "includes")) {
    page.users_ = by_id(*includes, "users");
    page.posts_ = by_id(*includes, "tweets");
  }
  return page;
}

std::optional<dom::object> JsonPage::user(const dom::element& id) const {
  return found_in(users_, id);
}
std::optional<dom::object> JsonPage::post(const dom::element& id) const {
  return found_in(posts_, id);
}

}  // namespace chirp::cli::input
