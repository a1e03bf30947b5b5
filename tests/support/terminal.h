// A pseudo-terminal with a program at it, for tests of what people see and type.
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

// The program has the terminal as standard input, output and error, and as its controlling one, so
// that keys such as Ctrl-C send signals. Killed at the end of this, if it has not ended.
class Terminal {
 public:
  explicit Terminal(const Command& command, TerminalSize size = {});
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // Waits until the program has printed `text` after what was waited for before; false if it ended
  // without, or nothing moves any more.
  [[nodiscard]] bool shows(std::string_view text);
  void type(std::string_view keys) const;
  // Whether what is typed now is shown.
  [[nodiscard]] bool echoes() const;
  // To the program, and what it has started in its process group.
  void signal(int number) const;
  // Reads on until the program ends. `out` is all that the terminal showed, its lines ended by LF.
  [[nodiscard]] Ended wait();

 private:
  // Reads what there is; false at the end, or when nothing moves any more.
  bool read_on();

  pid_t pid_ = -1;
  int master_ = -1;
  std::string shown_;
  std::size_t looked_ = 0;  // up to here shows() has looked
  bool late_ = false;
};

}  // namespace chirp::test
