#include "cli/input/json_fields.h"

#include <fmt/format.h>

#include "cli/input/notations.h"

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

}  // namespace chirp::cli::input
