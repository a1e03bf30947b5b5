// A form of one file, as browsers send it (RFC 7578), read strictly. Pure; safe from any thread.
#pragma once

#include <string>
#include <string_view>

namespace chirp::api {

struct FormFile {
  std::string type;        // as declared, in lower case and without parameters; empty if it is not
  std::string_view bytes;  // of the body
};

// The one part of `body`, which must be named `file`; `content_type` is the header with the
// boundary. Throws Problem 400 for a form that is broken or holds anything else.
[[nodiscard]] FormFile form_file(std::string_view content_type, std::string_view body);

}  // namespace chirp::api
