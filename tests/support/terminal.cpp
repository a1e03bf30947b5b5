#include "tests/support/terminal.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <iterator>
#include <poll.h>
#include <stdexcept>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "tests/support/progress.h"

namespace chirp::test {

Terminal::Terminal(const Command& command, TerminalSize size) {
  master_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  std::array<char, 128> name{};
  if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0 ||
      ::ptsname_r(master_, name.data(), name.size()) != 0) {
    throw std::runtime_error("no pseudo-terminal");
  }
  const int slave = ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  const winsize window{size.rows, size.columns, 0, 0};
  if (slave < 0 || ::ioctl(slave, TIOCSWINSZ, &window) != 0) {
    throw std::runtime_error("no pseudo-terminal");
  }
  const Start start(command);
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("no process");
  if (pid_ == 0) {
    ::setsid();
    ::ioctl(slave, TIOCSCTTY, 0);
    for (int fd = 0; fd <= 2; ++fd) ::dup2(slave, fd);
    start.become();
  }
  ::close(slave);
}

Terminal::~Terminal() {
  ::close(master_);
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

bool Terminal::read_on() {
  late_ = !until_ready(master_, POLLIN);
  if (late_) return false;
  std::array<char, 4096> block{};
  const ssize_t got = ::read(master_, block.data(), block.size());
  if (got <= 0) return false;  // EIO: nobody has the terminal open any more
  const std::string_view read(block.data(), static_cast<std::size_t>(got));
  std::ranges::copy_if(read, std::back_inserter(shown_), [](char c) { return c != '\r'; });
  return true;
}

bool Terminal::shows(std::string_view text) {
  for (;;) {
    const std::size_t at = shown_.find(text, looked_);
    if (at != std::string::npos) {
      looked_ = at + text.size();
      return true;
    }
    if (!read_on()) return false;
  }
}

void Terminal::type(std::string_view keys) const {
  if (::write(master_, keys.data(), keys.size()) != static_cast<ssize_t>(keys.size())) {
    throw std::runtime_error("nothing can be typed");
  }
}

bool Terminal::echoes() const {
  termios now{};
  if (::tcgetattr(master_, &now) != 0) throw std::runtime_error("no terminal");
  return (now.c_lflag & ECHO) != 0;
}

void Terminal::signal(int number) const { ::kill(-pid_, number); }

Ended Terminal::wait() {
  while (read_on()) {
  }
  Ended ended;
  ended.late = late_;
  if (late_) ::kill(pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (WIFEXITED(status)) ended.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  ended.out = shown_;
  return ended;
}

}  // namespace chirp::test
