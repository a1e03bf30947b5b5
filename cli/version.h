// Which chirp this is.
#pragma once

#include <string>
#include <string_view>

namespace chirp::cli {

// `0.2.0`: that of the build's description, the only place where it stands.
[[nodiscard]] std::string_view program_version();
// What `chirp --version` prints, without its last line end.
[[nodiscard]] std::string version_text();

}  // namespace chirp::cli
