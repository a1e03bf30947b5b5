// What `chirp --version` prints.
#pragma once

#include <string>

namespace chirp::cli {

[[nodiscard]] std::string version_text();

}  // namespace chirp::cli
