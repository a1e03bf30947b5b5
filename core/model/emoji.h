// Characters as people count them: an emoji is one, whatever its number of code points.
//
// Pure, safe from any thread. The web page counts by the same rule (server/web/site/app/format.js),
// so the rule uses ranges that are the same in every version of Unicode.
#pragma once

#include <cstddef>
#include <string_view>

namespace chirp {

// Counts the code points of valid UTF-8, with these sequences as one each: two letters of a flag; a
// digit, # or * with the keycap sign; and a symbol or picture with its style, skin tone, tags and
// joined symbols. A sequence has at most limits::kEmojiMax code points.
[[nodiscard]] std::size_t character_count(std::string_view text);

}  // namespace chirp
