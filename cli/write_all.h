// Writing to a file descriptor.
#pragma once

#include <string_view>

namespace chirp::cli {

// Writes all of it, however often a signal comes between; the errno of a failure, or 0.
[[nodiscard]] int write_all(int fd, std::string_view text);

// Writes as much as the reader takes within two seconds. Writes nothing to a pipe that nobody
// reads.
void write_or_leave(int fd, std::string_view text);

}  // namespace chirp::cli
