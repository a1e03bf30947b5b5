// The version of the program.
#pragma once

#include <string>
#include <string_view>

namespace chirp::cli {

// `0.2.0`, from the build description, the only place that defines it.
[[nodiscard]] std::string_view program_version();
// The output of `chirp --version`, without its last line end.
[[nodiscard]] std::string version_text();

}  // namespace chirp::cli
