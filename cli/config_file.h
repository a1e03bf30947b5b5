// The small files that options name: --config, and statements.
#pragma once

#include <string>
#include <string_view>

namespace chirp::cli {

// At most 64 KiB of a regular file, or nothing of /dev/null. A pipe, or a device that never ends,
// must not hold a command up. Throws Error{kBadInput}.
[[nodiscard]] std::string read_small_file(std::string_view option, const std::string& path);

}  // namespace chirp::cli
