#include "cli/load/archive/short_links.h"

#include <utility>

#include "core/model/utf8.h"

namespace chirp::cli::archive {

bool replace(std::string& text, std::string_view part, std::string_view whole) {
  const std::size_t at = part.empty() ? std::string::npos : text.find(part);
  if (at == std::string::npos) return false;
  text.replace(at, part.size(), whole);
  return true;
}

void expand(std::span<const ShortLink> links, std::string& text, std::size_t most) {
  for (const auto& [shown, address] : links) {
    std::string longer = text;
    if (address.empty() || !replace(longer, shown, address)) continue;
    if (utf8::length(longer) <= most) text = std::move(longer);
  }
}

}  // namespace chirp::cli::archive
