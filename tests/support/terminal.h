// A pseudo-terminal that runs a program, for tests of interactive use.
#pragma once

#include <string>
#include <string_view>
#include <sys/types.h>

#include "tests/support/child.h"

namespace chirp::test {

struct TerminalSize {
  unsigned short columns = 80;
  unsigned short rows = 24;
};

// The program has the terminal as standard input, output and error, and as its controlling
// terminal, so that keys such as Ctrl-C send signals. The destructor kills it if it has not ended.
class Terminal {
 public:
  explicit Terminal(const Command& command, TerminalSize size = {});
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // Waits until the program prints `text` after the previously awaited text; false if it ends
  // without, or nothing moves any more.
  [[nodiscard]] bool shows(std::string_view text);
  void type(std::string_view keys) const;
  // Whether typed characters are echoed.
  [[nodiscard]] bool echoes() const;
  // Sends a signal to the program and its process group.
  void signal(int number) const;
  // Reads until the program ends. `out` is everything that the terminal showed, with LF.
  [[nodiscard]] Ended wait();

 private:
  // Reads available output; false at the end, or if nothing moves any more.
  bool read_on();

  pid_t pid_ = -1;
  int master_ = -1;
  std::string shown_;
  std::size_t looked_ = 0;  // shows() has searched up to here
  bool late_ = false;
};

}  // namespace chirp::test
