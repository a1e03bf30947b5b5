// Text for the man macros of roff, which `man` shows.
#pragma once

#include <string>
#include <string_view>

namespace chirp::cli {

// `text` as it is to be shown, in ASCII: hyphens stay what they are typed as, quotes stay straight,
// no line is taken for a request, and characters beyond ASCII go by their number. Blanks and line
// ends stay: roff fills lines unless it is told otherwise.
[[nodiscard]] std::string roff(std::string_view text);
// The same for the argument of a macro, in quotes; a long list of choices may be broken behind a
// bar.
[[nodiscard]] std::string roff_argument(std::string_view text);

}  // namespace chirp::cli
