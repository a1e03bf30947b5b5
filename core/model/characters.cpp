#include "core/model/characters.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <utf8proc.h>

#include "core/model/utf8.h"

namespace chirp::characters {
namespace {

struct CodePointRange {
  std::int32_t first = 0;
  std::int32_t last = 0;
};

template <std::size_t kSize>
constexpr bool is_in_order(const std::array<CodePointRange, kSize>& ranges) {
  for (std::size_t i = 1; i < kSize; ++i) {
    if (ranges[i].first <= ranges[i - 1].last) return false;
  }
  return true;
}

template <std::size_t kSize>
bool is_within(const std::array<CodePointRange, kSize>& ranges, std::int32_t code_point) {
  const auto next = std::upper_bound(
      ranges.begin(), ranges.end(), code_point,
      [](std::int32_t wanted, const CodePointRange& range) { return wanted < range.first; });
  return next != ranges.begin() && code_point <= std::prev(next)->last;
}

// Only letters are looked up, so a range may contain other characters between its letters.
constexpr std::array kLatin{
    // clang-format off
    CodePointRange{'A', 'Z'},           CodePointRange{'a', 'z'},           CodePointRange{0x00aa, 0x00aa},
    CodePointRange{0x00ba, 0x00ba},     CodePointRange{0x00c0, 0x02b8},
    CodePointRange{0x02e0, 0x02e4},     CodePointRange{0x1d00, 0x1d25},     CodePointRange{0x1d2c, 0x1d5c},
    CodePointRange{0x1d62, 0x1d65},     CodePointRange{0x1d6b, 0x1d77},     CodePointRange{0x1d79, 0x1dbe},
    CodePointRange{0x1e00, 0x1eff},     CodePointRange{0x2071, 0x209c},     CodePointRange{0x212a, 0x212b},
    CodePointRange{0x2132, 0x2132},     CodePointRange{0x214e, 0x214e},     CodePointRange{0x2183, 0x2184},
    CodePointRange{0x2c60, 0x2c7f},     CodePointRange{0xa722, 0xa787},     CodePointRange{0xa78b, 0xa7ff},
    CodePointRange{0xab30, 0xab64},     CodePointRange{0xab66, 0xab69},     CodePointRange{0xfb00, 0xfb06},
    CodePointRange{0xff21, 0xff3a},     CodePointRange{0xff41, 0xff5a},     CodePointRange{0x10780, 0x107ba},
    CodePointRange{0x1df00, 0x1dfff},
    // clang-format on
};
static_assert(is_in_order(kLatin));

constexpr std::array kCursive{
    // clang-format off
    CodePointRange{0x0620, 0x06ff},     CodePointRange{0x0710, 0x077f},     CodePointRange{0x07ca, 0x07ea},
    CodePointRange{0x0840, 0x08c8},     CodePointRange{0x1820, 0x18aa},     CodePointRange{0xa840, 0xa872},
    CodePointRange{0xfb50, 0xfdff},     CodePointRange{0xfe70, 0xfefc},     CodePointRange{0x10ac0, 0x10ae4},
    CodePointRange{0x10b80, 0x10b91},   CodePointRange{0x10d00, 0x10d23},   CodePointRange{0x10f30, 0x10f44},
    CodePointRange{0x10f70, 0x10f81},   CodePointRange{0x10fb0, 0x10fc4},   CodePointRange{0x1e900, 0x1e943},
    // clang-format on
};
static_assert(is_in_order(kCursive));

bool is_letter(std::int32_t code_point) {
  return utf8::kind_of(code_point) == utf8::CharacterKind::kLetter;
}

}  // namespace

bool is_latin(std::int32_t code_point) {
  return is_within(kLatin, code_point) && is_letter(code_point);
}

bool is_cursive(std::int32_t code_point) {
  return is_within(kCursive, code_point) && is_letter(code_point);
}

bool is_virama(std::int32_t code_point) {
  constexpr utf8proc_propval_t kViramaClass = 9;
  return utf8proc_get_property(code_point)->combining_class == kViramaClass;
}

bool is_medial(std::int32_t code_point) {
  switch (code_point) {
    case 0x00b7:  // middle dot, in Catalan
    case 0x058a:  // Armenian hyphen
    case 0x05be:  // maqaf
    case 0x05f3:  // geresh
    case 0x05f4:  // gershayim
    case 0x0f0b:  // tsheg
    case 0x0f0c:  // tsheg that keeps the line together
    case 0x2027:  // hyphenation point
    case 0x30a0:  // double hyphen of Katakana
    case 0x30fb:  // middle dot of Katakana
    case 0xa67e:  // kavyka
    case 0xff65:  // middle dot of Katakana, half as wide
      return true;
    default:
      return false;
  }
}

bool is_wide_punctuation(std::int32_t code_point) {
  const bool is_wide = (code_point >= 0x3001 && code_point <= 0x303f) ||
                       (code_point >= 0xfe10 && code_point <= 0xfe1f) ||
                       (code_point >= 0xfe30 && code_point <= 0xfe6f) ||
                       (code_point >= 0xff01 && code_point <= 0xff65);
  if (!is_wide) return false;
  switch (utf8proc_category(code_point)) {
    case UTF8PROC_CATEGORY_PC:
    case UTF8PROC_CATEGORY_PD:
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF:
    case UTF8PROC_CATEGORY_PO:
      return true;
    default:
      return false;
  }
}

bool is_closing(std::int32_t code_point) {
  switch (utf8proc_category(code_point)) {
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF:
      return true;
    case UTF8PROC_CATEGORY_PO:
      return code_point >= 0x80 ||
             std::string_view("#%&*/\\@").find(static_cast<char>(code_point)) ==
                 std::string_view::npos;
    default:
      return false;
  }
}

namespace {

// Decides by the combining class (UAX 44): overlays, the points of Hebrew and Arabic, and marks
// attached to a letter or around it.
bool is_accent(std::int32_t code_point) {
  const auto combining = utf8proc_get_property(code_point)->combining_class;
  return combining == 1 || (combining >= 10 && combining <= 36) || combining >= 200;
}

}  // namespace

std::string without_accents(std::string_view text) {
  constexpr std::size_t kMost = 32;  // characters in one decomposition
  constexpr std::int32_t kAsciiEnd = 0x80;
  std::string bases;
  bool is_plain = true;
  for (std::string_view rest = text; !rest.empty();) {
    const utf8::Decoded next = utf8::decode(rest);
    if (next.code_point == utf8::kInvalid) return std::string(text);
    if (next.code_point < kAsciiEnd) {
      bases += rest.front();
    } else {
      is_plain = false;
      std::array<utf8proc_int32_t, kMost> parts{};
      int last = 0;
      const utf8proc_ssize_t count =
          utf8proc_decompose_char(next.code_point, parts.data(), kMost,
                                  static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE), &last);
      for (utf8proc_ssize_t i = 0; i < count; ++i) {
        const utf8proc_int32_t part = parts[static_cast<std::size_t>(i)];
        if (is_accent(part)) continue;
        std::array<utf8proc_uint8_t, 4> bytes{};
        const utf8proc_ssize_t size = utf8proc_encode_char(part, bytes.data());
        bases.append(bytes.begin(), bytes.begin() + size);
      }
    }
    rest.remove_prefix(next.bytes);
  }
  return is_plain ? bases : utf8::nfc(bases);
}

}  // namespace chirp::characters
