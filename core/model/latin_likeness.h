// Maps a text to the Latin letters that it looks like. Pure; safe from any thread.
#pragma once

#include <string>
#include <string_view>

namespace chirp {

// Returns only letters and digits, without accents and fonts. Letters that look like a Latin letter
// become that letter in lower case; others are unchanged. Empty for invalid UTF-8.
[[nodiscard]] std::string latin_likeness(std::string_view text);

}  // namespace chirp
