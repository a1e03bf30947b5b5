#include "server/api/request_values.h"

#include <limits>

#include <fmt/format.h>

#include "core/model/names.h"
#include "server/json/number_in.h"

namespace chirp::api {
namespace {

constexpr std::size_t kIdDigits = 19;
constexpr std::string_view kWeak = "W/";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return text;
}

std::string_view without_weakness(std::string_view tag) {
  if (tag.starts_with(kWeak)) tag.remove_prefix(kWeak.size());
  return tag;
}

}  // namespace

std::optional<std::uint64_t> id_in(std::string_view text) {
  if (text.size() > kIdDigits) return std::nullopt;
  const auto number = number_in<std::uint64_t>(text);
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  return number && *number <= kMost ? number : std::nullopt;
}

std::string media_type_in(std::string_view header) {
  return folded(trimmed(header.substr(0, header.find(';'))));
}

bool is_utf8_type(std::string_view header) {
  constexpr std::string_view kCharset = "charset=";
  for (std::size_t at = header.find(';'); at != std::string_view::npos; at = header.find(';', at)) {
    ++at;
    std::string parameter = folded(trimmed(header.substr(at, header.find(';', at) - at)));
    if (!parameter.starts_with(kCharset)) continue;
    std::erase(parameter, '"');
    const std::string_view charset = std::string_view(parameter).substr(kCharset.size());
    if (charset != "utf-8" && charset != "utf8" && charset != "us-ascii") return false;
  }
  return true;
}

bool names_tag(std::string_view if_none_match, std::string_view tag) {
  bool named = false;
  each_item(if_none_match, [&](std::string_view item) {
    named = item == "*" || without_weakness(item) == without_weakness(tag);
    return !named;
  });
  return named;
}

std::string weak_tag(std::string_view bytes) {
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325;  // FNV-1a
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100'0000'01b3;
  }
  return fmt::format("W/\"{:016x}\"", hash);
}

}  // namespace chirp::api
