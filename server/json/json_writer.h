// Writes JSON straight into one buffer: no tree, no copies. The caller keeps the order of calls
// right (a key before each value inside an object); brackets and commas are kept here.
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
  // Makes room for so many bytes more.
  JsonWriter& reserve(std::size_t bytes);

  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  // A name of ours, which is written as it is: without quotes, backslashes and control characters.
  JsonWriter& key(std::string_view name);

  JsonWriter& string(std::string_view text);  // UTF-8; an invalid byte becomes U+FFFD
  JsonWriter& integer(std::int64_t value);
  JsonWriter& natural(std::uint64_t value);
  JsonWriter& real(double value);  // the shortest text that reads back the same
  JsonWriter& boolean(bool value);
  JsonWriter& null();
  JsonWriter& id(std::uint64_t value);  // a decimal string
  JsonWriter& time(Time value);         // ISO 8601 with milliseconds

  // Fields of the object that is open, one or more, as another writer has written them.
  JsonWriter& fields(std::string_view written);

  // Key and value at once.
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
  // Takes what is written so far and starts afresh.
  [[nodiscard]] std::string take();

 private:
  void before_value();

  std::string out_;
  bool comma_ = false;  // the next key or element needs one in front
};

}  // namespace chirp::api
