// Writing to a file descriptor.
#pragma once

#include <string_view>

namespace chirp::cli {

// Writes all of it, however often a signal comes between; the errno of a failure, or 0.
[[nodiscard]] int write_all(int fd, std::string_view text);

}  // namespace chirp::cli
