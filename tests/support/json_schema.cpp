#include "tests/support/json_schema.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "core/model/utf8.h"
#include "tests/support/pattern.h"

namespace chirp::test {
namespace {

// What says nothing about a value.
constexpr std::array kWords{"description", "examples", "example",         "default",
                            "title",       "$comment", "contentMediaType"};
constexpr std::array kKeywords{"$ref",
                               "allOf",
                               "anyOf",
                               "oneOf",
                               "type",
                               "const",
                               "enum",
                               "required",
                               "items",
                               "properties",
                               "propertyNames",
                               "additionalProperties",
                               "dependentRequired",
                               "pattern",
                               "format",
                               "minimum",
                               "maximum",
                               "minLength",
                               "maxLength",
                               "minItems",
                               "maxItems"};

std::string type_of(const JsonValue& value) {
  if (value.is_null()) return "null";
  if (value.is<bool>()) return "boolean";
  if (value.is<std::int64_t>()) return "integer";
  if (value.is<double>()) return "number";
  if (value.is<std::string>()) return "string";
  return value.is<JsonValue::List>() ? "array" : "object";
}

bool is_of(const JsonValue& value, const std::string& type) {
  const std::string actual = type_of(value);
  if (actual == type || (type == "number" && actual == "integer")) return true;
  return type == "integer" && actual == "number" && std::floor(value.number()) == value.number();
}

bool matches(const std::string& text, const std::string& pattern) {
  return Pattern(pattern).is_in(text);
}

bool has_format(const std::string& text, const std::string& format) {
  const auto holds_blanks = [&] {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '"'; });
  };
  if (format == "date-time") return matches(text, R"(^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$)");
  if (format == "email") return matches(text, R"(^[^@\s]+@[^@\s]+$)");
  if (format == "uri") return matches(text, "^[a-z]+:") && !holds_blanks();
  if (format == "uri-reference") return !text.empty() && !holds_blanks();
  if (format == "password") return true;
  throw std::runtime_error("a format that is not known: " + format);
}

// Inside `allOf` and its kin the fields are named elsewhere, too.
enum class Fields : std::uint8_t { kAllNamed, kSomeNamed };

class SchemaCheck {
 public:
  explicit SchemaCheck(const JsonSchema& schemas) : schemas_(schemas) {}

  void run(const JsonValue& schema, const JsonValue& value, const std::string& place,
           Fields fields) {
    know(schema);
    if (const JsonValue* ref = schema.find("$ref")) {
      run(schemas_.at(ref->text()), value, place, Fields::kSomeNamed);
    }
    combine(schema, value, place);
    if (const JsonValue* type = schema.find("type")) check_type(*type, value, place);
    if (const JsonValue* only = schema.find("const")) {
      if (!(*only == value)) fault(place, "is not " + only->dump());
    }
    if (const JsonValue* values = schema.find("enum")) {
      const auto& list = values->list();
      if (std::find(list.begin(), list.end(), value) == list.end()) {
        fault(place, "is none of " + values->dump());
      }
    }
    if (value.is_number()) check_number(schema, value, place);
    if (value.is<std::string>()) check_string(schema, value.text(), place);
    if (value.is<JsonValue::List>()) check_list(schema, value.list(), place);
    if (value.is<JsonValue::Object>()) {
      check_object(schema, value.object(), place);
      if (fields == Fields::kAllNamed) check_names(schema, value.object(), place);
    }
  }

  [[nodiscard]] std::vector<std::string> take() { return std::move(faults_); }

 private:
  void fault(const std::string& place, const std::string& what) {
    faults_.push_back(fmt::format("{} {}", place.empty() ? "the whole" : place, what));
  }

  static void know(const JsonValue& schema) {
    for (const auto& [keyword, unused] : schema.object()) {
      const auto is_it = [&](const char* one) { return keyword == one; };
      if (std::any_of(kKeywords.begin(), kKeywords.end(), is_it)) continue;
      if (std::any_of(kWords.begin(), kWords.end(), is_it)) continue;
      throw std::runtime_error("a keyword of schemas that is not known here: " + keyword);
    }
  }

  void combine(const JsonValue& schema, const JsonValue& value, const std::string& place) {
    if (const JsonValue* all = schema.find("allOf")) {
      for (const JsonValue& one : all->list()) run(one, value, place, Fields::kSomeNamed);
    }
    if (const JsonValue* some = schema.find("anyOf")) {
      if (fitting(some->list(), value, place) == 0) fault(place, "fits none of anyOf");
    }
    if (const JsonValue* one = schema.find("oneOf")) {
      const std::size_t count = fitting(one->list(), value, place);
      if (count != 1) fault(place, fmt::format("fits {} of oneOf", count));
    }
  }

  [[nodiscard]] std::size_t fitting(const JsonValue::List& schemas, const JsonValue& value,
                                    const std::string& place) const {
    std::size_t count = 0;
    for (const JsonValue& schema : schemas) {
      SchemaCheck check(schemas_);
      check.run(schema, value, place, Fields::kSomeNamed);
      if (check.faults_.empty()) ++count;
    }
    return count;
  }

  void check_type(const JsonValue& type, const JsonValue& value, const std::string& place) {
    if (type.is<std::string>()) {
      if (!is_of(value, type.text())) fault(place, "is no " + type.text() + ": " + value.dump());
      return;
    }
    const auto& types = type.list();
    if (std::none_of(types.begin(), types.end(),
                     [&](const JsonValue& one) { return is_of(value, one.text()); })) {
      fault(place, "is of none of the types " + type.dump());
    }
  }

  void check_number(const JsonValue& schema, const JsonValue& value, const std::string& place) {
    const JsonValue* least = schema.find("minimum");
    if (least != nullptr && value.number() < least->number()) fault(place, "is too small");
    const JsonValue* most = schema.find("maximum");
    if (most != nullptr && value.number() > most->number()) fault(place, "is too large");
  }

  void check_size(const JsonValue& schema, std::string_view least_name, std::string_view most_name,
                  std::size_t size, const std::string& place) {
    const JsonValue* least = schema.find(least_name);
    if (least != nullptr && static_cast<double>(size) < least->number()) {
      fault(place, "is too short");
    }
    const JsonValue* most = schema.find(most_name);
    if (most != nullptr && static_cast<double>(size) > most->number()) fault(place, "is too long");
  }

  void check_string(const JsonValue& schema, const std::string& text, const std::string& place) {
    check_size(schema, "minLength", "maxLength", utf8::length(text), place);
    if (const JsonValue* pattern = schema.find("pattern")) {
      if (!matches(text, pattern->text())) fault(place, "is not like " + pattern->text());
    }
    if (const JsonValue* format = schema.find("format")) {
      if (!has_format(text, format->text())) fault(place, "is no " + format->text());
    }
  }

  void check_list(const JsonValue& schema, const JsonValue::List& list, const std::string& place) {
    check_size(schema, "minItems", "maxItems", list.size(), place);
    const JsonValue* items = schema.find("items");
    if (items == nullptr) return;
    for (std::size_t i = 0; i < list.size(); ++i) {
      run(*items, list[i], fmt::format("{}[{}]", place, i), Fields::kAllNamed);
    }
  }

  void check_object(const JsonValue& schema, const JsonValue::Object& object,
                    const std::string& place) {
    const auto need = [&](const JsonValue& names) {
      for (const JsonValue& name : names.list()) {
        if (!object.contains(name.text())) fault(place, "is without " + name.text());
      }
    };
    if (const JsonValue* required = schema.find("required")) need(*required);
    if (const JsonValue* dependent = schema.find("dependentRequired")) {
      for (const auto& [name, names] : dependent->object()) {
        if (object.contains(name)) need(names);
      }
    }
    const JsonValue* properties = schema.find("properties");
    const JsonValue* others = schema.find("additionalProperties");
    const JsonValue* names = schema.find("propertyNames");
    for (const auto& [name, value] : object) {
      const std::string inner = place + '.' + name;
      if (names != nullptr) run(*names, JsonValue::Any(name), inner, Fields::kAllNamed);
      const JsonValue* property = properties == nullptr ? nullptr : properties->find(name);
      if (property == nullptr) property = others;
      if (property != nullptr) run(*property, value, inner, Fields::kAllNamed);
    }
  }

  // Gathers the fields that a schema speaks of; false if it speaks of any.
  bool gather(const JsonValue& schema, std::set<std::string>& named) const {
    if (schema.find("additionalProperties") != nullptr) return false;
    bool speaks = false;
    if (const JsonValue* properties = schema.find("properties")) {
      speaks = true;
      for (const auto& [name, unused] : properties->object()) named.insert(name);
    }
    if (const JsonValue* ref = schema.find("$ref")) {
      speaks = gather(schemas_.at(ref->text()), named) || speaks;
    }
    for (const char* keyword : {"allOf", "anyOf", "oneOf"}) {
      const JsonValue* list = schema.find(keyword);
      if (list == nullptr) continue;
      for (const JsonValue& one : list->list()) speaks = gather(one, named) || speaks;
    }
    return speaks;
  }

  void check_names(const JsonValue& schema, const JsonValue::Object& object,
                   const std::string& place) {
    std::set<std::string> named;
    if (!gather(schema, named)) return;
    for (const auto& [name, unused] : object) {
      if (!named.contains(name)) fault(place, "has a field that nothing documents: " + name);
    }
  }

  const JsonSchema& schemas_;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> JsonSchema::faults(const JsonValue& schema, const JsonValue& value) const {
  SchemaCheck check(*this);
  check.run(schema, value, "", Fields::kAllNamed);
  return check.take();
}

const JsonValue& JsonSchema::at(std::string_view pointer) const {
  if (!pointer.starts_with("#/")) throw std::runtime_error("no reference: " + std::string(pointer));
  const JsonValue* found = &document_;
  for (std::string_view rest = pointer.substr(2);;) {
    const std::size_t slash = rest.find('/');
    found = &(*found)[rest.substr(0, slash)];
    if (slash == std::string_view::npos) return *found;
    rest.remove_prefix(slash + 1);
  }
}

const JsonValue& JsonSchema::resolved(const JsonValue& node) const {
  const JsonValue* ref = node.find("$ref");
  return ref == nullptr ? node : at(ref->text());
}

}  // namespace chirp::test
