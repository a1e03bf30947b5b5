// Tells a child process to stop: a pipe whose far end is closed then.
#pragma once

#include <array>
#include <poll.h>
#include <unistd.h>

#include "cli/descriptor.h"
#include "core/error.h"

namespace chirp::cli::bench {

class StopPipe {
 public:
  StopPipe() {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw Error(ErrorCode::kUnavailable, "There can be no pipe.");
    near_ = Descriptor(ends[0]);
    far_ = Descriptor(ends[1]);
  }

  void close() { far_.close(); }
  // In the child: until the parent lets go, or is gone.
  void wait() {
    close();
    char byte = 0;
    (void)!::read(near_.get(), &byte, 1);
  }
  // In the child, likewise, at once.
  [[nodiscard]] bool is_closed() {
    close();
    pollfd near{near_.get(), POLLIN, 0};
    return ::poll(&near, 1, 0) > 0;
  }

 private:
  Descriptor near_;
  Descriptor far_;
};

}  // namespace chirp::cli::bench
