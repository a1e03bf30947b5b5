// Members of a JSON object; empty if a member has another type.
#pragma once

#include <string_view>
#include <vector>

#include <simdjson.h>

#include "cli/input/json_fields.h"

namespace chirp::cli::archive {

using input::text_in;

[[nodiscard]] inline bool flag_in(const simdjson::dom::object& object, std::string_view key) {
  bool flag = false;
  return object[key].get(flag) == simdjson::SUCCESS && flag;
}

// An object without members.
[[nodiscard]] inline simdjson::dom::object no_object() {
  static simdjson::dom::parser parser;
  static const simdjson::dom::object object = parser.parse("{}", 2).get_object().value();
  return object;
}

[[nodiscard]] inline simdjson::dom::object object_in(const simdjson::dom::object& object,
                                                     std::string_view key) {
  simdjson::dom::object inner;
  return object[key].get(inner) == simdjson::SUCCESS ? inner : no_object();
}

// The objects of an array.
[[nodiscard]] inline std::vector<simdjson::dom::object> objects_in(
    const simdjson::dom::object& object, std::string_view key) {
  std::vector<simdjson::dom::object> objects;
  simdjson::dom::array array;
  if (object[key].get(array) != simdjson::SUCCESS) return objects;
  for (const simdjson::dom::element element : array) {
    simdjson::dom::object inner;
    if (element.get(inner) == simdjson::SUCCESS) objects.push_back(inner);
  }
  return objects;
}

}  // namespace chirp::cli::archive
