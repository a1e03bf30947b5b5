// Texts that are not graphs: what they look like, which fields they have, and how to go on.
#pragma once

#include <string>
#include <string_view>

namespace chirp::cli::input {

// Returns a sentence such as "this looks like a PDF: export …" if a text that starts so is
// certainly in another format than a graph; else empty.
[[nodiscard]] std::string other_format(std::string_view head);

// Returns up to three fields that the first row or object of a text has: `"id", "name", "city"`;
// empty if it has none.
[[nodiscard]] std::string fields_found(std::string_view head);

}  // namespace chirp::cli::input
