// Unicode text as bytes of UTF-8: decoding, NFC, folding, and what kind of character one is.
//
// Pure functions, safe from any thread. "Code point" is always a Unicode scalar value: surrogates,
// overlong forms and values above U+10FFFF do not decode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace chirp::utf8 {

inline constexpr std::int32_t kInvalid = -1;

struct Decoded {
  std::int32_t code_point = kInvalid;
  std::size_t bytes = 1;  // at least 1, so that a walk always moves on
};

// The first character of a text that is not empty.
[[nodiscard]] Decoded decode(std::string_view text);

// Appends a code point.
void append(std::string& text, std::uint32_t code_point);

[[nodiscard]] bool is_valid(std::string_view text);
// Code points; a byte that does not decode counts as one.
[[nodiscard]] std::size_t length(std::string_view text);

// C0, DEL and C1.
[[nodiscard]] bool is_control(std::int32_t code_point);
// White space, and what leaves no mark on a screen by itself (zero width, fillers).
[[nodiscard]] bool is_blank(std::int32_t code_point);
// Marks, overrides and isolates that turn the direction of the text around them.
[[nodiscard]] bool is_direction(std::int32_t code_point);
// True if no text made of such characters alone changes under NFC. Not true of all for which it
// could be: a quick way past the normalisation, which most texts take.
[[nodiscard]] bool is_settled(std::int32_t code_point);

// What a character is to whoever looks for words.
enum class Kind : std::uint8_t {
  kOther,
  kLetter,
  kMark,    // combines with what stands before it
  kDigit,   // decimal
  kNumber,  // any other
  kJoin,    // the underscore
};
[[nodiscard]] Kind kind_of(std::int32_t code_point);

// Normalisation form C of valid UTF-8.
[[nodiscard]] std::string nfc(std::string_view text);
// Full case folding, then NFC. What is not valid UTF-8 is folded as ASCII, byte by byte.
[[nodiscard]] std::string case_folded(std::string_view text);
// Case folding of compatible forms (NFKC), without what leaves no mark on a screen by itself: full
// width, mathematical letters and the like become plain ones. What is not valid UTF-8 is folded as
// ASCII, byte by byte.
[[nodiscard]] std::string compatibly_folded(std::string_view text);
// Compatible forms without marks, and without what leaves none on a screen: `e` of `é`. Empty if
// the text is not valid UTF-8.
[[nodiscard]] std::string base_characters(std::string_view text);
// Lower case of ASCII letters; everything else stays as it is.
[[nodiscard]] std::string ascii_lower(std::string_view text);

}  // namespace chirp::utf8
