// Short links in texts, `t.co`, and their full addresses.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace chirp::cli::archive {

struct ShortLink {
  std::string_view shown;
  std::string_view address;  // empty if unknown
};

// Replaces each short link by its address, as long as the text has at most `most` code points.
void expand(std::span<const ShortLink> links, std::string& text, std::size_t most);

// Replaces the first `part` by `whole`; false if `part` is not in the text.
bool replace(std::string& text, std::string_view part, std::string_view whole);

}  // namespace chirp::cli::archive
