// What a text looks like to somebody who reads Latin letters. Pure; safe from any thread.
#pragma once

#include <string>
#include <string_view>

namespace chirp {

// Its letters and digits alone, accents and fonts seen through: those that look like one of a to z
// as that one in lower case, others as they are. Empty if the text is not valid UTF-8.
[[nodiscard]] std::string latin_likeness(std::string_view text);

}  // namespace chirp
