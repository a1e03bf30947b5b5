// Runs work that may meet damaged files in a child process, so that a signal there becomes a value.
#pragma once

#include <functional>
#include <string>

namespace chirp::cli {

// What came of it.
struct Ended {
  int signal = 0;         // that ended the child; 0 for none
  bool complete = false;  // the work returned
  bool faulted = false;   // memory that holds files could not be read: they are damaged
};

// Forks; the child does `work`, which sends lines (without line ends) that `receive` gets here, in
// order, as they come. Call it before anything is opened: stores do not survive a fork. A
// chirp::Error thrown by `work` is thrown again here. Throws Error{kInternal} if there can be no
// child. A signal that a live OrderlyEnd has received ends the child at once, as kill -9 does.
// `look`, if given, is called in between, some times a second.
using Send = std::function<void(const std::string&)>;
[[nodiscard]] Ended run_isolated(const std::function<void(const Send&)>& work,
                                 const std::function<void(const std::string&)>& receive,
                                 const std::function<void()>& look = {});

// Throws for work that is not complete, unless a fault or the work itself has ended it: that says
// something about the files. After OrderlyEnd::check(), a signal that somebody sent to the child,
// or the kernel for want of memory.
void check_not_killed(const Ended& ended);

}  // namespace chirp::cli
