// docs/openapi.yaml, embedded in the binary. Safe to call from any thread.
#pragma once

#include <string_view>

namespace chirp::api {

// Returns the YAML text.
[[nodiscard]] std::string_view contract();

}  // namespace chirp::api
