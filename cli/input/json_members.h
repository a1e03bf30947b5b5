// Reads the members of one JSON object, and the elements of a member that is an array, one by one,
// so that an object of any size needs little memory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cli/input/json_values.h"

namespace chirp::cli::input {

struct JsonMember {
  std::string key;  // as written, with its escapes
  JsonPiece value;  // or one element, if the member is an array that is not empty
  // The element's number in its array, from 1, also for a problem inside it; 0 if the value is not
  // an element.
  std::uint64_t element = 0;
};

class JsonMembers : private JsonValues {
 public:
  // Reads everything in `buffer`, which starts with an object.
  explicit JsonMembers(TextBuffer& buffer) : JsonValues(buffer) {}
  // Returns nothing more after a problem in a value.
  std::optional<JsonMember> next();

 private:
  std::optional<JsonMember> value();
  JsonMember piece(std::string_view text);
  // Reads a key, its colon, and the bracket of an array. Returns an error, or empty.
  std::string enter_member();
  // Skips blanks, and returns the next character; 0 at the end.
  char skip_blanks();

  std::string key_;
  bool begun_ = false;
  bool ended_ = false;      // whether the object is closed
  bool in_member_ = false;  // whether a value or an element comes next
  bool has_value_ = false;  // whether a comma has to come before the next member or element
  std::uint64_t element_ = 0;
};

// Calls `take` with the name of each member of the object at the start of a text, and with the
// first character of its value.
void each_json_member(std::string_view head,
                      const std::function<void(std::string_view key, char first)>& take);

}  // namespace chirp::cli::input
