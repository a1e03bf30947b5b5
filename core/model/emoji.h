// Characters as people count them: an emoji is one, however many code points it is put together
// from.
//
// Pure, safe from any thread. The web page counts by the same rule (server/web/site/app/format.js),
// so the rule is written in ranges that no version of Unicode moves.
#pragma once

#include <cstddef>
#include <string_view>

namespace chirp {

// Code points of a text in valid UTF-8, but these as one each: two letters of a flag; a digit, # or
// * with the sign of a key behind it; and a symbol or picture with what follows it of styles, tones
// of skin, tags, and others that a joiner ties to it, up to limits::kEmojiMax code points together.
[[nodiscard]] std::size_t character_count(std::string_view text);

}  // namespace chirp
