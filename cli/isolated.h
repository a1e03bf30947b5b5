// Runs work that may meet damaged files in a child process, so that a signal becomes a value.
#pragma once

#include <functional>
#include <string>

namespace chirp::cli {

// The result of the child.
struct Ended {
  int signal = 0;         // the signal that ended the child, or 0
  bool complete = false;  // the work returned
  bool faulted = false;   // a memory-mapped file could not be read, so it is damaged
};

// Forks. The child runs `work`, and `receive` gets the lines it sends (without line ends), in
// order. Call it before anything is opened: stores do not survive a fork. Rethrows a chirp::Error
// thrown by `work`. Throws Error{kInternal} if the fork fails. A signal received by a live
// OrderlyEnd ends the child at once, like kill -9. `look`, if given, is called a few times a
// second.
using Send = std::function<void(const std::string&)>;
[[nodiscard]] Ended run_isolated(const std::function<void(const Send&)>& work,
                                 const std::function<void(const std::string&)>& receive,
                                 const std::function<void()>& look = {});

// Throws if the work did not complete, unless a fault or the work itself ended the child, which
// says something about the files. After OrderlyEnd::check(), the cause is a signal from another
// process, or from the kernel when memory is short.
void check_not_killed(const Ended& ended);

}  // namespace chirp::cli
