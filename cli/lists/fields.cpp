#include "cli/lists/fields.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "core/error.h"
#include "core/model/names.h"
#include "core/model/nearest.h"

namespace chirp::cli {
namespace {

namespace dom = simdjson::dom;

constexpr std::string_view kOwnId = "id";

[[noreturn]] void refuse(std::string_view name, const FieldNames& known) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("--fields: there is no field \"{}\" here. There are {}.{}",
                          printable(name), fmt::join(known, ", "), did_you_mean(name, known)),
              "fields");
}

// The fields that a name selects.
std::vector<std::string> meant_by(std::string_view name, const FieldNames& known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return {std::string(name)};
  std::vector<std::string> inside;
  for (const std::string_view field : known) {
    if (field.size() > name.size() && field.starts_with(name) && field[name.size()] == '.') {
      inside.emplace_back(field);
    }
  }
  if (inside.empty() && name == kOwnId) return {std::string(known.front())};
  if (inside.empty()) refuse(name, known);
  return inside;
}

std::vector<std::string> names_of(const FieldNames& known,
                                  const std::optional<std::string>& asked) {
  if (!asked) return {known.begin(), known.end()};
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= asked->size();) {
    const std::size_t end = std::min(asked->find(',', begin), asked->size());
    for (std::string& name : meant_by(asked->substr(begin, end - begin), known)) {
      if (std::find(names.begin(), names.end(), name) != names.end()) {
        throw Error(ErrorCode::kInvalidArgument,
                    fmt::format("--fields names {} twice. Name it once.", name), "fields");
      }
      names.push_back(std::move(name));
    }
    begin = end + 1;
  }
  return names;
}

void write(api::JsonWriter& json, const dom::element& value) {
  dom::object object;
  dom::array array;
  switch (value.type()) {
    case dom::element_type::OBJECT:
      object = value.get_object().value();
      json.begin_object();
      for (const auto& member : object) write(json.key(member.key), member.value);
      json.end_object();
      break;
    case dom::element_type::ARRAY:
      array = value.get_array().value();
      json.begin_array();
      for (const dom::element element : array) write(json, element);
      json.end_array();
      break;
    case dom::element_type::STRING:
      json.string(value.get_string().value());
      break;
    case dom::element_type::INT64:
      json.integer(value.get_int64().value());
      break;
    case dom::element_type::UINT64:
      json.natural(value.get_uint64().value());
      break;
    case dom::element_type::DOUBLE:
      json.real(value.get_double().value());
      break;
    case dom::element_type::BOOL:
      json.boolean(value.get_bool().value());
      break;
    case dom::element_type::NULL_VALUE:
      json.null();
      break;
  }
}

std::string cell_of(const dom::element& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return std::string(value.get_string().value());
  api::JsonWriter json;
  write(json, value);
  return json.take();
}

// Finds a field by its dotted name.
std::optional<dom::element> found(const dom::object& object, std::string_view name) {
  const std::size_t dot = name.find('.');
  dom::element value;
  if (object.at_key(name.substr(0, dot)).get(value) != simdjson::SUCCESS) return std::nullopt;
  if (dot == std::string_view::npos) return value;
  dom::object inner;
  if (value.get(inner) != simdjson::SUCCESS) return std::nullopt;
  return found(inner, name.substr(dot + 1));
}

std::string_view head_of(std::string_view name) { return name.substr(0, name.find('.')); }

// Fields with the same parent are written together, at the first one's place.
void write_chosen(api::JsonWriter& json, const dom::object& object,
                  const std::vector<std::string_view>& names) {
  json.begin_object();
  for (auto at = names.begin(); at != names.end(); ++at) {
    const std::string_view head = head_of(*at);
    const auto same = [&](std::string_view name) { return head_of(name) == head; };
    dom::element value;
    if (std::find_if(names.begin(), at, same) != at) continue;
    if (object.at_key(head).get(value) != simdjson::SUCCESS) continue;
    json.key(head);
    std::vector<std::string_view> inside;
    for (const std::string_view name : names) {
      if (same(name) && name.size() > head.size()) inside.push_back(name.substr(head.size() + 1));
    }
    dom::object inner;
    if (!inside.empty() && value.get(inner) == simdjson::SUCCESS) {
      write_chosen(json, inner, inside);
    } else {
      write(json, value);
    }
  }
  json.end_object();
}

}  // namespace

struct FieldChoice::Parser {
  dom::parser parser;

  dom::object object(std::string_view text) {
    dom::object parsed;
    check(parser.parse(text.data(), text.size()).get(parsed) == simdjson::SUCCESS,
          "an item of a list is an object of JSON");
    return parsed;
  }
};

FieldChoice::FieldChoice(const FieldNames& known, const std::optional<std::string>& asked)
    : names_(names_of(known, asked)), parser_(std::make_unique<Parser>()) {}

FieldChoice::~FieldChoice() = default;
FieldChoice::FieldChoice(FieldChoice&&) noexcept = default;
FieldChoice& FieldChoice::operator=(FieldChoice&&) noexcept = default;

std::string FieldChoice::chosen(std::string_view object) {
  api::JsonWriter json;
  write_chosen(json, parser_->object(object), {names_.begin(), names_.end()});
  return json.take();
}

std::vector<std::string> FieldChoice::cells(std::string_view object) {
  const dom::object parsed = parser_->object(object);
  std::vector<std::string> cells;
  for (const std::string& name : names_) {
    const auto value = found(parsed, name);
    cells.push_back(value ? cell_of(*value) : std::string());
  }
  return cells;
}

}  // namespace chirp::cli
