#include "cli/input/json_fields.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "cli/input/cells.h"

namespace chirp::cli::input {
namespace {

namespace dom = simdjson::dom;

bool is_odd_original(const dom::element& value) {
  if (value.is_string()) return !says_nothing(text_of(value));
  return value.is_array() || value.is_number();
}

bool holds(const dom::object& object, std::string_view key) {
  return object[key].error() == simdjson::SUCCESS;
}

}  // namespace

std::string_view text_of(const dom::element& value) {
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS ? text : std::string_view();
}

std::string_view text_in(const dom::object& object, std::string_view key) {
  std::string_view text;
  return object[key].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

std::optional<dom::object> object_in(const dom::object& object, std::string_view key) {
  dom::object inner;
  return object[key].get(inner) == simdjson::SUCCESS ? std::optional(inner) : std::nullopt;
}

void JsonFields::put(const FieldName& name, const dom::element& value) {
  if (value.is_null() || name.rank >= rank(name.field)) return;
  ranks_[index(name.field)] = name.rank;
  values_[index(name.field)] = value;
}

// An object or array has no value to read, and is a fault as the id of another post. A post may
// have more than one medium.
void JsonFields::put_named(const FieldName& name, const dom::element& value) {
  if (name.service > service) service = name.service;
  const bool links = name.field == Field::kReplyTo || name.field == Field::kRepostOf;
  const bool media = name.field == Field::kMediaUrls || name.field == Field::kAltTexts;
  if (value.is_object() && !links) return;
  if (value.is_array() && !links && !media) return;
  put(name, value);
}

// Reads the values below a member. In an array of objects with a `type`, the type is part of the
// path.
void JsonFields::read_path(const std::string& path, const dom::element& value) {
  dom::array all;
  if (value.get(all) == simdjson::SUCCESS) {
    for (const dom::element one : all) {
      dom::object inner;
      if (one.get(inner) != simdjson::SUCCESS) continue;
      const std::string_view type = text_in(inner, "type");
      if (type == "retweeted") repeated = inner;
      if (!type.empty()) read_path(fmt::format("{}.{}", path, type), one);
    }
    return;
  }
  dom::object object;
  if (value.get(object) != simdjson::SUCCESS) return;
  for (const auto [key, inner] : object) {
    const std::string name = fmt::format("{}.{}", path, key);
    if (const auto meaning = post_field(name)) put_named(*meaning, inner);
    if (inner.is_object()) read_path(name, inner);
  }
}

template <class Meaning>
void JsonFields::read(const dom::object& object, Meaning meaning) {
  self = object;
  for (const auto [key, value] : object) {
    if (key == "retweeted_status") has_odd_original = is_odd_original(value);
    if (dom::object inner; value.get(inner) == simdjson::SUCCESS) {
      if (key == "user" || key == "author" || key == "account") user = inner;
      if (key == "extended_tweet") extended = inner;
      if (is_repeated(key)) {
        repeated = inner;
        continue;
      }
    }
    if (const auto name = meaning(key)) {
      if (name->field == Field::kText && !value.is_object() && !value.is_array()) {
        has_text_key = true;
      }
      put_named(*name, value);
    }
    if (begins_path(key)) read_path(std::string(key), value);
  }
}

// Twitter's objects are also recognised by a combination of names.
void JsonFields::tell_service() {
  if (service != Platform::kAny) return;
  const bool first_api = holds(self, "id_str") && (user || has(Field::kUsername));
  const bool second_api =
      holds(self, "author_id") && holds(self, "author") && holds(self, "lang") && user;
  if (first_api || second_api || is_twitter_link(text(Field::kLink))) service = Platform::kTwitter;
}

JsonFields JsonFields::of_post(const dom::object& object) {
  JsonFields fields;
  fields.read(object, post_field);
  fields.tell_service();
  if (fields.service == Platform::kAny || fields.service == Platform::kTwitter) return fields;
  const auto id_name = post_field("name");  // an id in Reddit
  if (fields.service == Platform::kReddit && fields.rank(Field::kDisplayName) == id_name->rank) {
    fields.drop(Field::kDisplayName);
  }
  for (const ServiceName& name : service_names()) {
    dom::element value;
    if (name.service != fields.service) continue;
    if (object[name.name].get(value) == simdjson::SUCCESS) fields.put({name.field, 0}, value);
  }
  return fields;
}

JsonFields JsonFields::of_user(const dom::object& object) {
  JsonFields fields;
  fields.read(object, user_field);
  return fields;
}

std::optional<std::string> json_id_text(const simdjson::dom::element& value) {
  if (std::uint64_t number = 0; value.get(number) == simdjson::SUCCESS) {
    return std::to_string(number);
  }
  if (double real = 0; value.get(real) == simdjson::SUCCESS) {
    const auto id = source_id(real);
    return id ? std::optional(std::to_string(id->value)) : std::nullopt;
  }
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return std::nullopt;
  return std::string(text);
}

namespace {

// Each element of an array, or the value itself.
template <class Take>
void each(const dom::element* value, Take take) {
  if (value == nullptr) return;
  dom::array all;
  if (value->get(all) != simdjson::SUCCESS) return take(*value);
  for (const dom::element one : all) take(one);
}

load::SourceMedium medium_of(const dom::object& object) {
  load::SourceMedium medium;
  for (const auto [key, value] : object) {
    const std::string name = plain_name(key);
    if (name == "url") medium.address = trimmed(text_of(value));
    if (name == "description" || name == "alttext" || name == "comment") {
      medium.alt_text = trimmed(text_of(value));
    }
  }
  return medium;
}

}  // namespace

std::vector<load::SourceMedium> media_of(const dom::element* addresses,
                                         const dom::element* alt_texts) {
  std::vector<load::SourceMedium> media;
  each(addresses, [&](const dom::element& one) {
    dom::object object;
    if (one.get(object) == simdjson::SUCCESS) {
      media.push_back(medium_of(object));
    } else if (const auto address = trimmed(text_of(one)); !address.empty()) {
      media.emplace_back().address = address;
    }
  });
  std::size_t at = 0;
  each(alt_texts, [&](const dom::element& one) {
    const std::string_view text = trimmed(text_of(one));
    const std::size_t place = at++;
    if (text.empty()) return;
    if (place < media.size()) {
      media[place].alt_text = text;
    } else {
      media.emplace_back().alt_text = text;
    }
  });
  return media;
}

namespace {

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
