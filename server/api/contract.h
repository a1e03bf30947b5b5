// The contract of the HTTP interface, docs/openapi.yaml, in the binary. Safe from any thread.
#pragma once

#include <string_view>

namespace chirp::api {

// In YAML, as it was when the program was built.
[[nodiscard]] std::string_view contract();

}  // namespace chirp::api
