// Text for the man macros of roff.
#pragma once

#include <string>
#include <string_view>

namespace chirp::cli {

// Escapes `text` so that it is shown as it is, in ASCII: hyphens and straight quotes are kept, no
// line becomes a request, and characters beyond ASCII are written by number. Keeps blanks and line
// ends; roff fills lines by default.
[[nodiscard]] std::string roff(std::string_view text);
// The same for the quoted argument of a macro; a long list of choices may be broken after a bar.
[[nodiscard]] std::string roff_argument(std::string_view text);

}  // namespace chirp::cli
