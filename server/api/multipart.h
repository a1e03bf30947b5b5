// Parses a form with one file (RFC 7578) strictly. Pure functions; safe from any thread.
#pragma once

#include <string>
#include <string_view>

namespace chirp::api {

struct FormFile {
  std::string type;        // as declared, in lower case, without parameters; empty if missing
  std::string_view bytes;  // a view into the body
};

// Returns the only part of `body`, which must be named `file`; `content_type` is the header with
// the boundary. Throws Problem 400 for a malformed form or one with other parts.
[[nodiscard]] FormFile form_file(std::string_view content_type, std::string_view body);

}  // namespace chirp::api
