// Child processes of a test: the program under test, or a copy of the test itself.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "tests/support/progress.h"

namespace chirp::test {

// How a child ended, and its output.
struct Ended {
  int status = -1;    // exit status; -1 if it did not exit by itself
  int signal = 0;     // signal that ended it; 0 for none
  bool late = false;  // killed, because nothing moved any more
  std::string out;
  std::string err;

  [[nodiscard]] bool ok() const { return status == 0; }
};

// For messages of failed checks.
[[nodiscard]] std::string to_string(const Ended& ended);

struct Command {
  std::vector<std::string> arguments;         // the program first
  std::vector<std::string> environment = {};  // NAME=VALUE, in addition to the test's own
  std::string input = {};
  PatienceBounds patience = {};  // of the waiting test
  // Limit of its own memory in bytes (RLIMIT_DATA: heap, thread stacks and the like; mapped files
  // do not count).
  std::optional<std::uint64_t> memory = std::nullopt;
};

// Runs a program to its end. Kills it if nothing moves any more.
Ended run(const Command& command);

// Everything that a forked copy of the test needs to exec the program. Made before the fork:
// another thread may have held a lock during the fork, which then stays locked in the copy, so the
// copy must not allocate memory.
class Start {
 public:
  explicit Start(const Command& command);
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;
  // In the copy: execs the program with the current standard streams.
  [[noreturn]] void become() const noexcept;

 private:
  std::vector<std::string> texts_;
  std::vector<char*> arguments_;
  std::vector<char*> environment_;
  std::optional<std::uint64_t> memory_;
};

// `chirp --data DATA ARGUMENT…`
[[nodiscard]] Command chirp_command(const std::string& data, std::vector<std::string> arguments);

// Runs `body` in a forked copy of the test; 0 to 255 is its exit status, an exception is 99. The
// test must have no other thread and no open store.
Ended run_forked(const std::function<int()>& body);

// The same as a user whom permissions bind: kNobodyUser, if the test is root.
inline constexpr uid_t kNobodyUser = 65534;
Ended run_as_nobody(const std::function<int()>& body);

// A child that runs beside the test. The destructor kills it if it has not ended.
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
  // The next line of its standard error, without its end; or the rest, if it ends or nothing moves
  // any more. wait() returns the line, too.
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
