#include "core/model/emoji.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/limits.h"
#include "core/model/utf8.h"

namespace chirp {
namespace {

constexpr std::int32_t kJoiner = 0x200d;
constexpr std::int32_t kEmojiStyle = 0xfe0f;
constexpr std::int32_t kKey = 0x20e3;

constexpr bool within(std::int32_t code_point, std::int32_t first, std::int32_t last) {
  return code_point >= first && code_point <= last;
}

bool is_flag_letter(std::int32_t c) { return within(c, 0x1f1e6, 0x1f1ff); }
bool is_tone(std::int32_t c) { return within(c, 0x1f3fb, 0x1f3ff); }
bool is_on_key(std::int32_t c) { return c == '#' || c == '*' || within(c, '0', '9'); }

// A symbol or picture that others may follow.
bool is_picture(std::int32_t c) {
  constexpr std::array<std::int32_t, 10> kAlone{0xa9,   0xae,   0x203c, 0x2049, 0x2122,
                                                0x2139, 0x3030, 0x303d, 0x3297, 0x3299};
  if (is_flag_letter(c) || is_tone(c)) return false;
  return within(c, 0x2190, 0x2bff) || within(c, 0x1f000, 0x1fffd) ||
         std::find(kAlone.begin(), kAlone.end(), c) != kAlone.end();
}

// A character that belongs to the picture before it.
bool belongs(std::int32_t c) {
  return c == kEmojiStyle || c == kKey || is_tone(c) || within(c, 0xe0020, 0xe007f);
}

// Number of code points in the first character of a non-empty text.
std::size_t first_character(std::span<const std::int32_t> points) {
  const auto at = [&](std::size_t i) { return i < points.size() ? points[i] : utf8::kInvalid; };
  if (is_flag_letter(at(0)) && is_flag_letter(at(1))) return 2;
  if (is_on_key(at(0))) {
    const std::size_t key = at(1) == kEmojiStyle ? 2 : 1;
    return at(key) == kKey ? key + 1 : 1;
  }
  if (!is_picture(at(0))) return 1;
  std::size_t end = 1;
  while (true) {
    while (end < limits::kEmojiMax && belongs(at(end))) ++end;
    if (end + 2 > limits::kEmojiMax || at(end) != kJoiner || !is_picture(at(end + 1))) return end;
    end += 2;
  }
}

}  // namespace

std::size_t character_count(std::string_view text) {
  std::vector<std::int32_t> points;
  for (std::size_t at = 0; at < text.size();) {
    const utf8::Decoded next = utf8::decode(text.substr(at));
    points.push_back(next.code_point);
    at += next.bytes;
  }
  std::size_t count = 0;
  for (std::span<const std::int32_t> rest = points; !rest.empty(); ++count) {
    rest = rest.subspan(first_character(rest));
  }
  return count;
}

}  // namespace chirp
