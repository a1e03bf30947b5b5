// Reads the values of a JSON text one by one, so that a file of any size needs little memory: the
// elements of an array, or consecutive objects.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cli/input/lines.h"

namespace chirp::cli::input {

struct JsonPiece {
  std::string_view text;      // one value, unchecked inside; valid until the next call
  std::uint64_t line = 0;     // where it starts
  std::size_t column = 0;     // bytes of that line before it
  std::uint64_t ordinal = 0;  // 1 for the first one
  std::string problem;        // an error, after which nothing follows; or empty
};

class JsonValues {
 public:
  // Reads everything in `buffer`.
  explicit JsonValues(TextBuffer& buffer) : buffer_(buffer) {}
  // Returns an object, or any other element of an array: the caller knows what to expect, and a
  // wrong element does not end the array.
  std::optional<JsonPiece> next();

 protected:
  // The length of the value at the front of the buffer; 0 if the text ends in it or it is too long.
  std::size_t measure();
  // Consumes this many bytes.
  void pass(std::size_t size);
  JsonPiece broken(std::string problem);

  TextBuffer& buffer_;
  std::uint64_t line_ = 1;
  std::size_t column_ = 0;
  std::uint64_t ordinal_ = 0;
  std::size_t returned_ = 0;
  bool in_array_ = false;
  bool too_long_ = false;
  bool over_ = false;

 private:
  enum class Between : std::uint8_t { kValue, kEnd, kStray };
  Between skip_to_value();
  // Measures a value in brackets or quotes, or a number or a word.
  std::size_t measure_enclosed();
  std::size_t measure_word();
  // Returns 0 if the size is too large.
  std::size_t whole(std::size_t size);
};

// Returns the message for a value of more than `most` bytes.
[[nodiscard]] std::string too_long(std::string_view what, std::size_t most);

// Whether a value may begin with this character.
[[nodiscard]] bool begins_json_value(char c);

// Whether each line of a text with this start is a value of its own: the first line closes all its
// brackets, or is cut off.
[[nodiscard]] bool are_json_lines(std::string_view head);

// A word outside of strings that is not JSON, such as NaN.
struct OddWord {
  std::string words;      // the message, with the column
  std::size_t lines = 0;  // line ends before it
};
// Returns the first such word in a JSON text that begins in this column, or nothing.
[[nodiscard]] std::optional<OddWord> odd_word_in(std::string_view json, std::size_t column);

// Reads the members of one JSON object, and the elements of a member that is an array, one by one,
// so that an object of any size needs little memory.
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
