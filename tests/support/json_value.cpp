#include "tests/support/json_value.h"

#include <charconv>
#include <optional>
#include <stdexcept>
#include <yaml-cpp/yaml.h>

#include <fmt/format.h>
#include <simdjson.h>

namespace chirp::test {
namespace {

JsonValue converted(const simdjson::dom::element& element) {
  using Type = simdjson::dom::element_type;
  switch (element.type()) {
    case Type::NULL_VALUE:
      return {};
    case Type::BOOL:
      return JsonValue::Any(bool(element));
    case Type::INT64:
      return JsonValue::Any(std::int64_t(element));
    case Type::UINT64:
      return JsonValue::Any(static_cast<double>(std::uint64_t(element)));
    case Type::DOUBLE:
      return JsonValue::Any(double(element));
    case Type::STRING:
      return JsonValue::Any(std::string(std::string_view(element)));
    case Type::ARRAY: {
      JsonValue::List list;
      for (const auto& item : simdjson::dom::array(element)) list.push_back(converted(item));
      return JsonValue::Any(std::move(list));
    }
    case Type::OBJECT:
      break;
  }
  JsonValue::Object object;
  for (const auto& field : simdjson::dom::object(element)) {
    if (!object.emplace(std::string(field.key), converted(field.value)).second) {
      throw std::runtime_error(fmt::format("the key {} is there twice", field.key));
    }
  }
  return JsonValue::Any(std::move(object));
}

template <class Number>
std::optional<Number> whole(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

// A scalar without quotes.
JsonValue plain(const std::string& text) {
  if (text.empty() || text == "null" || text == "~") return {};
  if (text == "true" || text == "false") return JsonValue::Any(text == "true");
  if (const auto integer = whole<std::int64_t>(text)) return JsonValue::Any(*integer);
  if (const auto real = whole<double>(text)) return JsonValue::Any(*real);
  return JsonValue::Any(text);
}

JsonValue converted(const YAML::Node& node) {
  if (node.IsSequence()) {
    JsonValue::List list;
    for (const auto& item : node) list.push_back(converted(item));
    return JsonValue::Any(std::move(list));
  }
  if (node.IsMap()) {
    JsonValue::Object object;
    for (const auto& field : node) {
      if (!object.emplace(field.first.Scalar(), converted(field.second)).second) {
        throw std::runtime_error(fmt::format("the key {} is there twice", field.first.Scalar()));
      }
    }
    return JsonValue::Any(std::move(object));
  }
  if (node.IsNull()) return {};
  return node.Tag() == "!" ? JsonValue(JsonValue::Any(node.Scalar())) : plain(node.Scalar());
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

// Not inline: GCC 12 takes what it inlines of a variant for uninitialised.
JsonValue::JsonValue() : any_(nullptr) {}
JsonValue::JsonValue(Any any) : any_(std::move(any)) {}
JsonValue::~JsonValue() = default;
JsonValue::JsonValue(const JsonValue&) = default;
JsonValue::JsonValue(JsonValue&&) noexcept = default;
JsonValue& JsonValue::operator=(const JsonValue&) = default;
JsonValue& JsonValue::operator=(JsonValue&&) noexcept = default;

JsonValue JsonValue::parse(std::string_view text) {
  simdjson::dom::parser parser;
  simdjson::dom::element element;
  const auto error = parser.parse(text.data(), text.size()).get(element);
  if (error != simdjson::SUCCESS) {
    throw std::runtime_error(
        fmt::format("no JSON ({}): {}", simdjson::error_message(error), text.substr(0, 200)));
  }
  return converted(element);
}

JsonValue JsonValue::parse_yaml(const std::string& text) { return converted(YAML::Load(text)); }

double JsonValue::number() const {
  return is<std::int64_t>() ? static_cast<double>(as<std::int64_t>()) : as<double>();
}

const JsonValue* JsonValue::find(std::string_view key) const {
  if (!is<Object>()) return nullptr;
  const auto found = object().find(key);
  return found == object().end() ? nullptr : &found->second;
}

const JsonValue& JsonValue::operator[](std::string_view key) const {
  if (const JsonValue* value = find(key)) return *value;
  throw std::out_of_range(fmt::format("there is no {} in {}", key, dump().substr(0, 400)));
}

std::string JsonValue::dump() const {
  if (is_null()) return "null";
  if (is<bool>()) return as<bool>() ? "true" : "false";
  if (is<std::int64_t>()) return fmt::format("{}", as<std::int64_t>());
  if (is<double>()) return fmt::format("{}", as<double>());
  if (is<std::string>()) return in_quotes(text());
  std::string out;
  if (is<List>()) {
    for (const JsonValue& item : list()) out += (out.empty() ? "" : ",") + item.dump();
    return '[' + out + ']';
  }
  for (const auto& [key, value] : object()) {
    out += (out.empty() ? "" : ",") + in_quotes(key) + ':' + value.dump();
  }
  return '{' + out + '}';
}

}  // namespace chirp::test
