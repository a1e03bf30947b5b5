// Links that a text has in a short form, `t.co`, and what they stand for.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace chirp::cli::archive {

struct ShortLink {
  std::string_view shown;
  std::string_view address;  // empty if it isn't known
};

// Puts each address where its short form stands, as long as the text has no more than `most` code
// points by it.
void expand(std::span<const ShortLink> links, std::string& text, std::size_t most);

// Puts `whole` where `part` stands first; false if it stands nowhere.
bool replace(std::string& text, std::string_view part, std::string_view whole);

}  // namespace chirp::cli::archive
