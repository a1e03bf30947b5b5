// Describes files that a reader refuses: the likely format, the fields, and the next step.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace chirp::cli::input {

// Describes a file without posts and what to do, as in "a PDF; save its table as CSV". Empty for
// anything that may be a table, a list or JSON.
[[nodiscard]] std::optional<std::string> looks_like(std::string_view head);

// Returns a sentence such as "this looks like a PDF, which is not read. Export …" for a text that
// is certainly not a graph, and an empty text otherwise.
[[nodiscard]] std::string other_format(std::string_view head);

// Returns up to three fields of the text's first row or object: `"id", "name", "city"`. Returns an
// empty text if it has no fields.
[[nodiscard]] std::string fields_found(std::string_view head);

}  // namespace chirp::cli::input
