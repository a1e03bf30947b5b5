// A program that shows long answers a screen at a time, between this one and the terminal.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace chirp::cli {

// What shows long answers: CHIRP_PAGER, else PAGER, else `less`. Empty for none: the variable is
// empty or `cat`, or the terminal can't be steered.
[[nodiscard]] std::string pager_command();

// A pager that runs, and reads what is written to it. While it runs, it has the keys: a signal that
// ends this process does so once the pager has been left, and SIGTERM and SIGHUP end it as well.
// When all is written, SIGINT and SIGQUIT are the pager's alone. One at a time.
class Pager {
 public:
  // Nothing if it can't be started. `less` is told by LESS to show colours and, unless that is set,
  // to leave again if all fits on a screen, and to leave the last screen standing.
  [[nodiscard]] static std::unique_ptr<Pager> start(const std::string& command);
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;
  ~Pager() { (void)left(); }

  // Hands it a text, and waits while it has much to read. 0, or why that failed: EPIPE from whoever
  // quits it early.
  int write(std::string_view text);
  // In bytes, whether read or not.
  [[nodiscard]] std::size_t written() const { return written_; }
  // Ends what it reads and waits until it has been left. False if it has shown nothing: a shell did
  // not find it, or it failed before it had read anything.
  bool left();
  // How one that has been left has failed, in words; empty if it has not. Who quits it, by a key or
  // a signal from a keyboard, has no failure.
  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  Pager(pid_t pid, int fd);

  pid_t pid_;  // 0 when it has been left
  int fd_;
  std::size_t written_ = 0;
  bool ran_ = true;
  std::string failure_;
};

}  // namespace chirp::cli
