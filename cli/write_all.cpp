#include "cli/write_all.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstddef>
#include <poll.h>
#include <unistd.h>

#include "store/deadline.h"

namespace chirp::cli {

int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

void write_or_leave(int fd, std::string_view text) {
  const store::Deadline deadline(store::machine_clock(), std::chrono::seconds(2));
  while (!text.empty()) {
    pollfd end{fd, POLLOUT, 0};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline.left());
    const int ready = ::poll(&end, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0 || (end.revents & POLLOUT) == 0) return;
    // A writable pipe takes this much without blocking.
    const ssize_t n = ::write(fd, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace chirp::cli
