#include "core/model/utf8.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>

#include <utf8proc.h>

namespace chirp::utf8 {
namespace {

constexpr std::int32_t kAsciiEnd = 0x80;
// Below this every character is its own NFC, and none combines with the one before it.
constexpr std::int32_t kCombiningBegin = 0x300;
// Jamo combine by arithmetic, which is not in the table of properties.
constexpr std::int32_t kJamoBegin = 0x1100;
constexpr std::int32_t kJamoEnd = 0x1200;

struct FreeText {
  void operator()(utf8proc_uint8_t* text) const noexcept { std::free(text); }
};

// Empty if the text is not valid UTF-8 (or was empty).
std::string mapped(std::string_view text, int options) {
  utf8proc_uint8_t* raw = nullptr;
  const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                             static_cast<utf8proc_ssize_t>(text.size()), &raw,
                                             static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, FreeText> owned(raw);
  if (size == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  if (size < 0) return {};
  return {reinterpret_cast<const char*>(raw), static_cast<std::size_t>(size)};
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < kAsciiEnd; });
}

}  // namespace

Decoded decode(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < kAsciiEnd) return {first, 1};
  std::int32_t code_point = kInvalid;
  const utf8proc_ssize_t bytes =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                       static_cast<utf8proc_ssize_t>(text.size()), &code_point);
  if (bytes <= 0) return {};
  return {code_point, static_cast<std::size_t>(bytes)};
}

void append(std::string& text, std::uint32_t code_point) {
  std::array<utf8proc_uint8_t, 4> bytes{};
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code_point), bytes.data());
  for (utf8proc_ssize_t i = 0; i < size; ++i) {
    text.push_back(static_cast<char>(bytes[static_cast<std::size_t>(i)]));
  }
}

bool is_valid(std::string_view text) {
  while (!text.empty()) {
    const Decoded next = decode(text);
    if (next.code_point == kInvalid) return false;
    text.remove_prefix(next.bytes);
  }
  return true;
}

std::size_t length(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(decode(text).bytes);
  return count;
}

bool is_control(std::int32_t code_point) {
  return code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0);
}

bool is_blank(std::int32_t code_point) {
  if (code_point < kAsciiEnd) return code_point == ' ' || (code_point >= 9 && code_point <= 13);
  constexpr std::int32_t kBraillePatternBlank = 0x2800;
  if (code_point == kBraillePatternBlank || code_point == 0x85) return true;
  const utf8proc_property_t* property = utf8proc_get_property(code_point);
  return property->ignorable || property->category == UTF8PROC_CATEGORY_ZS ||
         property->category == UTF8PROC_CATEGORY_ZL || property->category == UTF8PROC_CATEGORY_ZP;
}

bool is_direction(std::int32_t code_point) {
  return code_point == 0x061c || code_point == 0x200e || code_point == 0x200f ||
         (code_point >= 0x202a && code_point <= 0x202e) ||
         (code_point >= 0x2066 && code_point <= 0x2069);
}

bool is_settled(std::int32_t code_point) {
  if (code_point < kCombiningBegin) return true;
  if (code_point >= kJamoBegin && code_point < kJamoEnd) return false;
  constexpr auto kNone = std::numeric_limits<utf8proc_uint16_t>::max();
  const utf8proc_property_t* property = utf8proc_get_property(code_point);
  return property->combining_class == 0 && property->decomp_seqindex == kNone &&
         property->comb_index == kNone;
}

CharacterKind kind_of(std::int32_t code_point) {
  switch (utf8proc_category(code_point)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
      return CharacterKind::kLetter;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
      return CharacterKind::kMark;
    case UTF8PROC_CATEGORY_ND:
      return CharacterKind::kDigit;
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return CharacterKind::kNumber;
    default:
      return code_point == '_' ? CharacterKind::kJoin : CharacterKind::kOther;
  }
}

std::string nfc(std::string_view text) { return mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE); }

std::string case_folded(std::string_view text) {
  if (is_ascii(text)) return ascii_lower(text);
  std::string folded = mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
  return folded.empty() ? ascii_lower(text) : folded;
}

std::string compatibly_folded(std::string_view text) {
  if (is_ascii(text) || !is_valid(text)) return ascii_lower(text);
  return mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD |
                          UTF8PROC_IGNORE);
}

std::string base_characters(std::string_view text) {
  return mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK |
                          UTF8PROC_IGNORE);
}

std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

}  // namespace chirp::utf8
