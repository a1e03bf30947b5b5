// Other processes of a benchmark: children that work until they are told to stop, and this program
// as another process, which starts with cold caches.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/descriptor.h"
#include "cli/isolated.h"

namespace chirp::cli::bench {

// Tells a child process to stop, by closing the other end of a pipe.
class StopPipe {
 public:
  StopPipe();

  void close() { far_.close(); }
  // In the child: waits until the parent closes its end, or has ended.
  void wait();
  // In the child: the same without waiting.
  [[nodiscard]] bool is_closed();

 private:
  Descriptor near_;
  Descriptor far_;
};

enum class Receiving : std::uint8_t { kGoesOn, kIsDone };

// Runs `child` in a process of its own, which has to work until `stop` is closed, and calls
// `receive` here with each line that it sends. Closes `stop` when `receive` is done or throws, and
// waits for the child to end. Rethrows what `receive` or `child` threw. Throws Error{kInternal}
// with the message `failure` if the child ends in another way. Forks: call it before anything is
// opened.
void run_until_done(const std::function<void(StopPipe& stop, const Send& send)>& child,
                    const std::function<Receiving(const std::string& line)>& receive,
                    const std::string& failure);

// Runs the program with these arguments until it ends. Its input is empty, its output is dropped,
// and its messages go to the file `messages`. Returns whether it ended with status 0.
[[nodiscard]] bool run_own_program(std::vector<std::string> arguments,
                                   const std::filesystem::path& messages = "/dev/null");

}  // namespace chirp::cli::bench
