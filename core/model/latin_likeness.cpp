#include "core/model/latin_likeness.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/model/utf8.h"

namespace chirp {
namespace {

struct Like {
  std::int32_t code_point;
  char letter;
};

// In the order of code points: what utf8::base_characters leaves as it is, although it looks like a
// Latin letter. Signs that are read as letters are among them.
constexpr std::array kLikes{
    // clang-format off
    Like{'$', 's'}, Like{'@', 'a'},
    Like{0x00d8, 'o'}, Like{0x00f8, 'o'}, Like{0x0111, 'd'}, Like{0x0127, 'h'}, Like{0x0131, 'i'},
    Like{0x0141, 'l'}, Like{0x0142, 'l'}, Like{0x0167, 't'}, Like{0x0192, 'f'}, Like{0x0250, 'a'},
    Like{0x0251, 'a'}, Like{0x0261, 'g'}, Like{0x0262, 'g'}, Like{0x0269, 'i'}, Like{0x026a, 'i'},
    Like{0x0274, 'n'}, Like{0x0280, 'r'}, Like{0x028f, 'y'}, Like{0x0299, 'b'}, Like{0x029c, 'h'},
    Like{0x029f, 'l'}, Like{0x0391, 'a'}, Like{0x0392, 'b'}, Like{0x0395, 'e'}, Like{0x0396, 'z'},
    Like{0x0397, 'h'}, Like{0x0399, 'i'}, Like{0x039a, 'k'}, Like{0x039c, 'm'}, Like{0x039d, 'n'},
    Like{0x039f, 'o'}, Like{0x03a1, 'p'}, Like{0x03a4, 't'}, Like{0x03a5, 'y'}, Like{0x03a7, 'x'},
    Like{0x03b1, 'a'}, Like{0x03b2, 'b'}, Like{0x03b5, 'e'}, Like{0x03b7, 'n'}, Like{0x03b9, 'i'},
    Like{0x03ba, 'k'}, Like{0x03bd, 'v'}, Like{0x03bf, 'o'}, Like{0x03c1, 'p'}, Like{0x03c4, 't'},
    Like{0x03c5, 'u'}, Like{0x03c7, 'x'}, Like{0x03f2, 'c'}, Like{0x03f9, 'c'}, Like{0x0405, 's'},
    Like{0x0406, 'i'}, Like{0x0408, 'j'}, Like{0x0410, 'a'}, Like{0x0412, 'b'}, Like{0x0415, 'e'},
    Like{0x041a, 'k'}, Like{0x041c, 'm'}, Like{0x041d, 'h'}, Like{0x041e, 'o'}, Like{0x0420, 'p'},
    Like{0x0421, 'c'}, Like{0x0422, 't'}, Like{0x0423, 'y'}, Like{0x0425, 'x'}, Like{0x0430, 'a'},
    Like{0x0432, 'b'}, Like{0x0433, 'r'}, Like{0x0435, 'e'}, Like{0x043a, 'k'}, Like{0x043c, 'm'},
    Like{0x043d, 'h'}, Like{0x043e, 'o'}, Like{0x043f, 'n'}, Like{0x0440, 'p'}, Like{0x0441, 'c'},
    Like{0x0442, 't'}, Like{0x0443, 'y'}, Like{0x0445, 'x'}, Like{0x0455, 's'}, Like{0x0456, 'i'},
    Like{0x0458, 'j'}, Like{0x0475, 'v'}, Like{0x04ae, 'y'}, Like{0x04ba, 'h'}, Like{0x04bb, 'h'},
    Like{0x04c0, 'l'}, Like{0x04cf, 'l'}, Like{0x0500, 'd'}, Like{0x0501, 'd'}, Like{0x050c, 'g'},
    Like{0x051a, 'q'}, Like{0x051b, 'q'}, Like{0x051c, 'w'}, Like{0x051d, 'w'}, Like{0x054d, 'u'},
    Like{0x0555, 'o'}, Like{0x0570, 'h'}, Like{0x0578, 'n'}, Like{0x057d, 'u'}, Like{0x0581, 'g'},
    Like{0x0585, 'o'}, Like{0x1d00, 'a'}, Like{0x1d04, 'c'}, Like{0x1d05, 'd'}, Like{0x1d07, 'e'},
    Like{0x1d0a, 'j'}, Like{0x1d0b, 'k'}, Like{0x1d0d, 'm'}, Like{0x1d0f, 'o'}, Like{0x1d18, 'p'},
    Like{0x1d1b, 't'}, Like{0x1d1c, 'u'}, Like{0x1d20, 'v'}, Like{0x1d21, 'w'}, Like{0x1d22, 'z'},
    Like{0xa730, 'f'}, Like{0xa731, 's'},
    // clang-format on
};
static_assert(std::is_sorted(kLikes.begin(), kLikes.end(), [](const Like& a, const Like& b) {
  return a.code_point < b.code_point;
}));

// 0 if it looks like none.
char letter_like(std::int32_t code_point) {
  const auto found = std::lower_bound(
      kLikes.begin(), kLikes.end(), code_point,
      [](const Like& like, std::int32_t wanted) { return like.code_point < wanted; });
  return found != kLikes.end() && found->code_point == code_point ? found->letter : '\0';
}

bool is_word_character(std::int32_t code_point) {
  const utf8::Kind kind = utf8::kind_of(code_point);
  return kind == utf8::Kind::kLetter || kind == utf8::Kind::kDigit || kind == utf8::Kind::kNumber;
}

}  // namespace

std::string latin_likeness(std::string_view text) {
  const std::string base = utf8::base_characters(text);
  std::string out;
  for (std::string_view rest = base; !rest.empty();) {
    const utf8::Decoded next = utf8::decode(rest);
    if (const char letter = letter_like(next.code_point); letter != '\0') {
      out.push_back(letter);
    } else if (is_word_character(next.code_point)) {
      out += rest.substr(0, next.bytes);
    }
    rest.remove_prefix(next.bytes);
  }
  return utf8::ascii_lower(out);
}

}  // namespace chirp
