// Writes JSON into one buffer: no tree, no copies. The caller keeps the order of calls right (a key
// before each value inside an object); the writer adds brackets and commas.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/model/ids.h"
#include "core/model/time.h"

namespace chirp::api {

class JsonWriter {
 public:
  // Reserves space for so many more bytes.
  JsonWriter& reserve(std::size_t bytes);

  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  // Writes `name` unescaped: it must have no quotes, backslashes or control characters.
  JsonWriter& key(std::string_view name);

  JsonWriter& string(std::string_view text);  // UTF-8; an invalid byte becomes U+FFFD
  JsonWriter& integer(std::int64_t value);
  JsonWriter& natural(std::uint64_t value);
  JsonWriter& real(double value);  // the shortest text that parses to the same value
  JsonWriter& boolean(bool value);
  JsonWriter& null();
  JsonWriter& id(std::uint64_t value);  // a decimal string
  JsonWriter& time(Time value);         // ISO 8601 with milliseconds

  // Appends one or more fields to the open object, as another writer has written them.
  JsonWriter& fields(std::string_view written);

  // Writes key and value.
  JsonWriter& field(std::string_view name, std::string_view text) { return key(name).string(text); }
  JsonWriter& field(std::string_view name, const char* text) { return key(name).string(text); }
  JsonWriter& field(std::string_view name, Time value) { return key(name).time(value); }
  template <class Tag>
  JsonWriter& field(std::string_view name, StrongId<Tag, std::uint64_t> value) {
    return key(name).id(value.value);
  }
  template <std::same_as<bool> Bool>
  JsonWriter& field(std::string_view name, Bool value) {
    return key(name).boolean(value);
  }
  template <std::unsigned_integral Number>
  requires(!std::same_as<Number, bool>) JsonWriter& field(std::string_view name, Number value) {
    return key(name).natural(value);
  }
  template <std::signed_integral Number>
  JsonWriter& field(std::string_view name, Number value) {
    return key(name).integer(value);
  }
  template <std::floating_point Number>
  JsonWriter& field(std::string_view name, Number value) {
    return key(name).real(value);
  }

  [[nodiscard]] const std::string& text() const { return out_; }
  // Returns the text so far and starts again with an empty buffer.
  [[nodiscard]] std::string take();

 private:
  void before_value();

  std::string out_;
  bool comma_ = false;  // the next key or element needs a comma before it
};

}  // namespace chirp::api
