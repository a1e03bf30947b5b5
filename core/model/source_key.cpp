#include "core/model/source_key.h"

#include <charconv>

#include "core/limits.h"
#include "core/model/utf8.h"

namespace chirp {

std::optional<SourceId> source_number(std::string_view text) {
  constexpr std::uint64_t kMost = (std::uint64_t{1} << 63) - 1;
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end || number > kMost) return std::nullopt;
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  return SourceId{number};
}

bool can_be_source_word(std::string_view text) {
  if (text.empty() || text.size() > limits::kSourceWordMax) return false;
  if (text.front() == ' ' || text.back() == ' ' || !utf8::is_valid(text)) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7F) return false;
    // U+0080 to U+009F.
    if (byte == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0) return false;
  }
  return true;
}

std::optional<SourceKey> source_key(std::string_view text) {
  if (const auto number = source_number(text)) return SourceKey(*number);
  if (!can_be_source_word(text)) return std::nullopt;
  return SourceKey(std::string(text));
}

std::string text_of(const SourceKey& key) {
  return key.is_word() ? key.word : std::to_string(key.number.value);
}

// FNV-1a.
std::uint64_t digest_of(std::string_view word) {
  std::uint64_t hash = 0xCBF2'9CE4'8422'2325u;
  for (const char c : word) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100'0000'01B3u;
  }
  return hash;
}

}  // namespace chirp
