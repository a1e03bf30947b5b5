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
  std::size_t bytes = 1;  // at least 1, so that a loop always advances
};

// Decodes the first character of a non-empty text.
[[nodiscard]] Decoded decode(std::string_view text);

void append(std::string& text, std::uint32_t code_point);

[[nodiscard]] bool is_valid(std::string_view text);
// The number of code points; an invalid byte counts as one.
[[nodiscard]] std::size_t length(std::string_view text);

// C0, DEL and C1.
[[nodiscard]] bool is_control(std::int32_t code_point);
// White space and invisible characters (zero width, fillers).
[[nodiscard]] bool is_blank(std::int32_t code_point);
// Marks, overrides and isolates that change the direction of the text around them.
[[nodiscard]] bool is_direction(std::int32_t code_point);
// True only if texts of such characters alone are always unchanged by NFC. A fast check that lets
// most texts skip normalisation; some characters that NFC keeps return false.
[[nodiscard]] bool is_settled(std::int32_t code_point);

// The role of a character in finding words.
enum class CharacterKind : std::uint8_t {
  kOther,
  kLetter,
  kMark,    // combines with the character before it
  kDigit,   // decimal
  kNumber,  // any other
  kJoin,    // the underscore
};
[[nodiscard]] CharacterKind kind_of(std::int32_t code_point);

// Normalisation form C of valid UTF-8.
[[nodiscard]] std::string nfc(std::string_view text);
// Full case folding, then NFC. Invalid UTF-8 is folded as ASCII, byte by byte.
[[nodiscard]] std::string case_folded(std::string_view text);
// Case folding of compatible forms (NFKC), without invisible characters: full-width, mathematical
// and similar letters become plain ones. Invalid UTF-8 is folded as ASCII, byte by byte.
[[nodiscard]] std::string compatibly_folded(std::string_view text);
// Compatible forms without marks and without invisible characters: `e` for `é`. Empty for invalid
// UTF-8.
[[nodiscard]] std::string base_characters(std::string_view text);
// Lower-cases ASCII letters only.
[[nodiscard]] std::string ascii_lower(std::string_view text);

}  // namespace chirp::utf8
