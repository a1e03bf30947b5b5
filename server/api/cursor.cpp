#include "server/api/cursor.h"

#include <array>
#include <charconv>
#include <cstdint>

#include "core/model/names.h"

namespace chirp::api {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr char kNumberTag = '#';  // no username begins with it

}  // namespace

std::string base64url(std::string_view bytes) {
  std::string out;
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : bytes) {
    bits = (bits << 8) | static_cast<unsigned char>(c);
    for (held += 8; held >= 6; held -= 6) out += kAlphabet[(bits >> (held - 6)) & 63];
  }
  if (held > 0) out += kAlphabet[(bits << (6 - held)) & 63];
  return out;
}

std::optional<std::string> from_base64url(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : text) {
    const std::size_t value = kAlphabet.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    held += 6;
    if (held >= 8) {
      held -= 8;
      out += static_cast<char>((bits >> held) & 0xFF);
    }
  }
  // Anything else than the one way to write these bytes is not a cursor of ours.
  if (base64url(out) != text) return std::nullopt;
  return out;
}

std::string name_cursor(std::string_view username) { return base64url(username); }

std::optional<std::string> parse_name_cursor(std::string_view cursor) {
  auto name = from_base64url(cursor);
  if (!name || !is_username(*name)) return std::nullopt;
  return name;
}

std::string number_cursor(UserNumber number) {
  return base64url(kNumberTag + std::to_string(number.value));
}

std::optional<UserNumber> parse_number_cursor(std::string_view cursor) {
  const auto text = from_base64url(cursor);
  if (!text || text->size() < 2 || text->front() != kNumberTag) return std::nullopt;
  UserNumber number;
  const char* const end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data() + 1, end, number.value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

}  // namespace chirp::api
