// The libraries that the stores stand on, for `chirp --version`.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace chirp::store {

// Name and version, as they are loaded in this process, or as it was built with them where the
// first use loads them.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> library_versions();

}  // namespace chirp::store
