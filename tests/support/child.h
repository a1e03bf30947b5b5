// Processes that a test starts: the program under test, or a copy of the test itself.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "tests/support/progress.h"

namespace chirp::test {

// How a child ended and what it said.
struct Ended {
  int status = -1;    // of exit; -1 if it did not exit by itself
  int signal = 0;     // that ended it; 0 if none did
  bool late = false;  // killed, since nothing moved any more
  std::string out;
  std::string err;

  [[nodiscard]] bool ok() const { return status == 0; }
};

// For a message of a failed check.
[[nodiscard]] std::string to_string(const Ended& ended);

struct Command {
  std::vector<std::string> arguments;         // the program first
  std::vector<std::string> environment = {};  // NAME=VALUE, beside the test's own
  std::string input = {};
  PatienceBounds patience = {};  // of whoever waits for it
  // Bytes of memory of its own that it may ask for (RLIMIT_DATA: heap, stacks of threads and the
  // like; mapped files do not count).
  std::optional<std::uint64_t> memory = std::nullopt;
};

// Runs a program to its end, however long that takes; it is killed if nothing moves any more.
Ended run(const Command& command);

// What a forked copy of the test needs to become the program. It is made before the fork: of a
// process with threads the copy may have been made while one of them held a lock, which is then
// held for good, so it must not ask for memory.
class Start {
 public:
  explicit Start(const Command& command);
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;
  // In the copy, with the standard streams that it has.
  [[noreturn]] void become() const noexcept;

 private:
  std::vector<std::string> texts_;
  std::vector<char*> arguments_;
  std::vector<char*> environment_;
  std::optional<std::uint64_t> memory_;
};

// `chirp --data DATA ARGUMENT…`
[[nodiscard]] Command chirp_command(const std::string& data, std::vector<std::string> arguments);

// Runs `body` in a forked copy of the test; 0 to 255 is its exit status, an exception is 99.
// For a test that has no other thread and no store open.
Ended run_forked(const std::function<int()>& body);

// A child that runs beside the test. Killed at the end of this, if it has not ended.
class Background {
 public:
  explicit Background(const Command& command);
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  // Waits until the child is stopped by a signal (true) or has ended (false).
  bool wait_stopped();
  void signal(int number) const;
  [[nodiscard]] bool has_ended() const;
  // The next line that it says on standard error, without its end; what there is, if it ends or
  // nothing moves any more. It stays part of what wait() gives.
  [[nodiscard]] std::string error_line();
  Ended wait();

 private:
  PatienceBounds patience_;
  pid_t pid_ = -1;
  int output_ = -1;
  int error_ = -1;
  std::string read_errors_;
};

}  // namespace chirp::test
