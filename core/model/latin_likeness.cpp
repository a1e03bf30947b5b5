#include "core/model/latin_likeness.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/model/confusables.h"
#include "core/model/utf8.h"

namespace chirp {
namespace {

using Like = Confusable;

// Characters that look like a Latin letter but are missing from Unicode's list, and signs that are
// read as letters. Sorted by code point.
constexpr std::array kOwnLikes{
    // clang-format off
    Like{'$', 's'}, Like{'@', 'a'}, Like{0x00d8, 'o'}, Like{0x00f8, 'o'}, Like{0x0111, 'd'},
    Like{0x0127, 'h'}, Like{0x0141, 'l'}, Like{0x0142, 'l'}, Like{0x0167, 't'}, Like{0x0192, 'f'},
    Like{0x0250, 'a'}, Like{0x0262, 'g'}, Like{0x0274, 'n'}, Like{0x0280, 'r'}, Like{0x0299, 'b'},
    Like{0x029c, 'h'}, Like{0x029f, 'l'}, Like{0x03b2, 'b'}, Like{0x03b5, 'e'}, Like{0x03b7, 'n'},
    Like{0x03ba, 'k'}, Like{0x03c4, 't'}, Like{0x03c7, 'x'}, Like{0x0432, 'b'}, Like{0x043a, 'k'},
    Like{0x043c, 'm'}, Like{0x043d, 'h'}, Like{0x043f, 'n'}, Like{0x0442, 't'}, Like{0x04ba, 'h'},
    Like{0x0500, 'd'}, Like{0x051a, 'q'}, Like{0x1d00, 'a'}, Like{0x1d05, 'd'}, Like{0x1d07, 'e'},
    Like{0x1d0a, 'j'}, Like{0x1d0b, 'k'}, Like{0x1d0d, 'm'}, Like{0x1d18, 'p'}, Like{0x1d1b, 't'},
    Like{0xa730, 'f'},
    // clang-format on
};

template <class Likes>
constexpr bool is_in_order(const Likes& likes) {
  return std::is_sorted(likes.begin(), likes.end(),
                        [](const Like& a, const Like& b) { return a.code_point < b.code_point; });
}
static_assert(is_in_order(kOwnLikes) && is_in_order(kConfusables));

template <class Likes>
char letter_in(const Likes& likes, std::int32_t code_point) {
  const auto found = std::lower_bound(
      likes.begin(), likes.end(), code_point,
      [](const Like& like, std::int32_t wanted) { return like.code_point < wanted; });
  return found != likes.end() && found->code_point == code_point ? found->letter : '\0';
}

// Returns 0 if it looks like no Latin letter.
char letter_like(std::int32_t code_point) {
  const char own = letter_in(kOwnLikes, code_point);
  return own != '\0' ? own : letter_in(kConfusables, code_point);
}

bool is_word_character(std::int32_t code_point) {
  const utf8::CharacterKind kind = utf8::kind_of(code_point);
  return kind == utf8::CharacterKind::kLetter || kind == utf8::CharacterKind::kDigit ||
         kind == utf8::CharacterKind::kNumber;
}

}  // namespace

namespace {

// Appends the letter that each character looks like, or else the character itself.
void add_likeness(std::string_view text, std::string& out) {
  for (std::string_view rest = text; !rest.empty();) {
    const utf8::Decoded next = utf8::decode(rest);
    if (const char letter = letter_like(next.code_point); letter != '\0') {
      out.push_back(letter);
    } else if (is_word_character(next.code_point)) {
      out += rest.substr(0, next.bytes);
    }
    rest.remove_prefix(next.bytes);
  }
}

}  // namespace

// Some characters look like another letter than the one they decompose to: the Greek lunate sigma
// looks like a c but decomposes to a sigma. So each is looked up before and after decomposition.
std::string latin_likeness(std::string_view text) {
  if (!utf8::is_valid(text)) return {};
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    const utf8::Decoded next = utf8::decode(rest);
    const std::string_view character = rest.substr(0, next.bytes);
    if (const char letter = letter_like(next.code_point); letter != '\0') {
      out.push_back(letter);
    } else {
      add_likeness(utf8::base_characters(character), out);
    }
    rest.remove_prefix(next.bytes);
  }
  return utf8::ascii_lower(out);
}

}  // namespace chirp
