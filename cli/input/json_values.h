// Takes the values of a JSON text apart one by one, so that a file of any size needs little memory:
// the elements of an array, or objects that follow one another.
#pragma once

#include <cstdint>
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
  std::string problem;        // what is wrong instead, if something is; then nothing comes after it
};

class JsonValues {
 public:
  // Reads all of what `buffer` has open.
  explicit JsonValues(TextBuffer& buffer) : buffer_(buffer) {}
  // An object, or whatever else an array has for an element: it is the caller who knows what should
  // stand there, and the elements behind it are told all the same.
  std::optional<JsonPiece> next();

 protected:
  // The length of the value at the front of the buffer; 0 if the text ends in it or it is too long.
  std::size_t measure();
  // Goes on behind so many bytes.
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
  // Measures what has brackets or quotes around it, or a number or a word.
  std::size_t measure_enclosed();
  std::size_t measure_word();
  // 0 for what is too long.
  std::size_t whole(std::size_t size);
};

// Returns the message for a value of more than `most` bytes.
[[nodiscard]] std::string too_long(std::string_view what, std::size_t most);

// Whether a value may begin so.
[[nodiscard]] bool begins_json_value(char c);

// Whether each line of a text that starts so is a value of its own: the first line closes what it
// opens, or is cut off.
[[nodiscard]] bool are_json_lines(std::string_view head);

// A word outside of strings that JSON does not have, such as NaN.
struct OddWord {
  std::string words;      // what is wrong, with the column
  std::size_t lines = 0;  // line ends before it
};
// Returns the first such word of a JSON text that begins in this column, or nothing.
[[nodiscard]] std::optional<OddWord> odd_word_in(std::string_view json, std::size_t column);

}  // namespace chirp::cli::input
