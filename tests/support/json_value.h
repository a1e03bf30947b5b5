// JSON as plain values, for checking answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace chirp::test {

class JsonValue {
 public:
  using List = std::vector<JsonValue>;
  using Object = std::map<std::string, JsonValue, std::less<>>;
  using Any = std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, List, Object>;

  JsonValue();
  JsonValue(Any any);  // NOLINT: a value converts implicitly
  ~JsonValue();
  JsonValue(const JsonValue&);
  JsonValue(JsonValue&&) noexcept;
  JsonValue& operator=(const JsonValue&);
  JsonValue& operator=(JsonValue&&) noexcept;

  // Throws std::runtime_error for text that is not one JSON value.
  static JsonValue parse(std::string_view text);
  // The same for YAML; plain scalars follow the core schema.
  static JsonValue parse_yaml(const std::string& text);

  template <class T>
  [[nodiscard]] bool is() const {
    return std::holds_alternative<T>(any_);
  }
  template <class T>
  [[nodiscard]] const T& as() const {
    return std::get<T>(any_);
  }
  [[nodiscard]] bool is_null() const { return is<std::nullptr_t>(); }
  [[nodiscard]] bool is_number() const { return is<std::int64_t>() || is<double>(); }
  [[nodiscard]] double number() const;
  [[nodiscard]] const std::string& text() const { return as<std::string>(); }
  [[nodiscard]] const List& list() const { return as<List>(); }
  [[nodiscard]] const Object& object() const { return as<Object>(); }

  // A field of an object; a null pointer if it is missing, or if this is not an object.
  [[nodiscard]] const JsonValue* find(std::string_view key) const;
  // The same; throws std::out_of_range if it is missing.
  [[nodiscard]] const JsonValue& operator[](std::string_view key) const;
  [[nodiscard]] const JsonValue& operator[](std::size_t index) const { return list().at(index); }

  // As JSON, sorted by key.
  [[nodiscard]] std::string dump() const;

  bool operator==(const JsonValue& other) const { return any_ == other.any_; }

 private:
  Any any_;
};

}  // namespace chirp::test
