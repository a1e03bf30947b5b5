// Writing to a file descriptor.
#pragma once

#include <string_view>

namespace chirp::cli {

// Writes everything, and retries after signals. Returns 0 or the errno of a failure.
[[nodiscard]] int write_all(int fd, std::string_view text);

// Writes as much as the reader takes within two seconds. Writes nothing to a pipe without a reader.
void write_or_leave(int fd, std::string_view text);

}  // namespace chirp::cli
