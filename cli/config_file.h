// The file that --config names.
#pragma once

#include <string>

namespace chirp::cli {

// At most 64 KiB of a regular file, or nothing of /dev/null. A pipe, or a device that never ends,
// must not hold a command up. Throws Error{kBadInput}.
[[nodiscard]] std::string read_config_file(const std::string& path);

}  // namespace chirp::cli
