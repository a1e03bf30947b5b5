// Runs work that may meet damaged files in a child process, so that a signal there becomes a value.
#pragma once

#include <functional>
#include <string>

namespace chirp::cli {

// What came of it.
struct Ended {
  int signal = 0;         // that ended the child; 0 for none
  bool complete = false;  // the work returned
};

// Forks; the child does `work`, which sends lines (without line ends) that `receive` gets here, in
// order, as they come. Call it before anything is opened: stores do not survive a fork. A
// chirp::Error thrown by `work` is thrown again here. Throws Error{kInternal} if there can be no
// child.
using Send = std::function<void(const std::string&)>;
[[nodiscard]] Ended run_isolated(const std::function<void(const Send&)>& work,
                                 const std::function<void(const std::string&)>& receive);

}  // namespace chirp::cli
