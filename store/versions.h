// The stores' libraries, for `chirp --version`.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace chirp::store {

// Returns names and versions: of the loaded library, or that of the build if it is loaded only on
// first use.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> library_versions();

}  // namespace chirp::store
