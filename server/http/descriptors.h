// How the file descriptors of the process are shared out. The one bound that the machine sets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace chirp::http {

struct Descriptors {
  std::size_t connections = 0;
  std::size_t streams = 0;  // of the connections, so that those of others are left
  std::size_t files = 0;    // that are being sent
};

// What so many open files are enough for: all that the bounds of the server (server/limits.h)
// allow, or of fewer a share for each, and never none.
[[nodiscard]] Descriptors descriptors_of(std::uint64_t open_files);
// Raises this process's limit to what the bounds need, and returns it. Safe to call from any
// thread.
[[nodiscard]] Descriptors descriptors();

}  // namespace chirp::http
