// A pager: a program that shows long answers one screen at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace chirp::cli {

// The pager's command: CHIRP_PAGER, else PAGER, else `less`. Empty for no pager: the variable is
// empty or `cat`, or the terminal has no cursor control.
[[nodiscard]] std::string pager_command();

// A running pager that reads what is written to it. While it runs, it receives the keys. A signal
// that ends this process takes effect after the pager has ended; SIGTERM and SIGHUP end the pager
// as well. After the last write, only the pager handles SIGINT and SIGQUIT. One instance at a time.
class Pager {
 public:
  // Null if it can't be started. Sets LESS so that `less` shows colours and, unless LESS was
  // already set, quits if everything fits on one screen and leaves the last screen visible.
  [[nodiscard]] static std::unique_ptr<Pager> start(const std::string& command);
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;
  ~Pager() { (void)left(); }

  // Writes a text, and blocks while the pager's pipe is full. Returns 0 or an errno: EPIPE if the
  // user has quit the pager.
  int write(std::string_view text);
  // In bytes, read by the pager or not.
  [[nodiscard]] std::size_t written() const { return written_; }
  // Closes the pipe and waits until the pager ends. False if the pager has shown nothing: a shell
  // did not find it, or it failed before it read anything.
  bool left();
  // Describes how the pager failed; empty if it did not. Quitting by a key or a signal from the
  // keyboard is not a failure.
  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  Pager(pid_t pid, int fd);

  pid_t pid_;  // 0 after it has ended
  int fd_;
  std::size_t written_ = 0;
  bool ran_ = true;
  std::string failure_;
};

}  // namespace chirp::cli
