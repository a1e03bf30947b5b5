// Tells a child process to stop, by closing the other end of a pipe.
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
    if (::pipe(ends.data()) != 0) throw Error(ErrorCode::kUnavailable, "A pipe could not be made.");
    near_ = Descriptor(ends[0]);
    far_ = Descriptor(ends[1]);
  }

  void close() { far_.close(); }
  // In the child: waits until the parent closes its end, or has ended.
  void wait() {
    close();
    char byte = 0;
    (void)!::read(near_.get(), &byte, 1);
  }
  // In the child: the same without waiting.
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
