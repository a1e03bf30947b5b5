#include "cli/terminal.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/write_all.h"
#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli {
namespace {

// Signals that usually end or stop a process.
constexpr std::array kSignals{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};

volatile sig_atomic_t came = 0;  // one of kSignals, or 0

extern "C" void on_signal(int signal) { came = signal; }

// Blocks the signals that would end or stop the process. They are delivered only during
// `wait_for_input`, which reports them.
class SignalsHeld {
 public:
  SignalsHeld() {
    came = 0;
    sigset_t held;
    ::sigemptyset(&held);
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler == SIG_IGN) continue;  // nohup ignores it
      struct sigaction noted {};
      noted.sa_handler = on_signal;
      ::sigemptyset(&noted.sa_mask);
      ::sigaction(kSignals[i], &noted, nullptr);
      ::sigaddset(&held, kSignals[i]);
    }
    ::pthread_sigmask(SIG_BLOCK, &held, &mask_);
  }
  ~SignalsHeld() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals[i], &before_[i], nullptr);
    }
    ::pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

  // Waits for input. False if a signal came first.
  [[nodiscard]] bool wait_for_input() const {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    while (came == 0) {
      if (::ppoll(&input, 1, nullptr, &mask_) >= 0 || errno != EINTR) return true;
    }
    return false;
  }

 private:
  std::array<struct sigaction, kSignals.size()> before_{};
  sigset_t mask_{};
};

// Turns the terminal's echo off while it lives.
class Unshown {
 public:
  Unshown() {
    if (::tcgetattr(STDIN_FILENO, &before_) != 0) refuse();
    termios unshown = before_;
    unshown.c_lflag &= ~static_cast<tcflag_t>(ECHO | ECHOE | ECHOK | ECHONL);
    unshown.c_lflag |= ICANON | ISIG;
    if (set(unshown) != 0) refuse();
  }
  ~Unshown() {
    (void)set(before_);
    (void)write_all(STDERR_FILENO, "\n");  // the user's own line end was not echoed
  }
  Unshown(const Unshown&) = delete;
  Unshown& operator=(const Unshown&) = delete;

 private:
  // Discards what was typed before the question.
  static int set(const termios& to) {
    int failed = 0;
    do {
      failed = ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &to);
    } while (failed != 0 && errno == EINTR);
    return failed;
  }
  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::kIo,
                fmt::format("The terminal can't hide the input: {}. No password was read.",
                            std::strerror(errno)));
  }

  termios before_{};
};

// A number of at least 1; empty for any other text.
std::optional<std::size_t> said(const char* text) {
  if (text == nullptr) return std::nullopt;
  const std::string_view digits = text;
  std::size_t number = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = error == std::errc{} && stop == digits.data() + digits.size();
  return whole && number > 0 ? std::optional(number) : std::nullopt;
}

// Reads a line, without its end. Empty if the input ends before the line does, or if a signal came:
// a line that a closed terminal cuts off is not a complete answer.
std::optional<std::string> read_line(const SignalsHeld* signals) {
  std::string line;
  for (char c = 0;;) {
    if (signals != nullptr && !signals->wait_for_input()) return std::nullopt;
    const ssize_t n = ::read(STDIN_FILENO, &c, 1);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return std::nullopt;
    if (c == '\n') return line;
    line += c;
  }
}

}  // namespace

WindowSize window_size(int fd) {
  WindowSize size;
  winsize now{};
  if (::ioctl(fd, TIOCGWINSZ, &now) == 0) {
    if (now.ws_col > 0) size.columns = now.ws_col;
    if (now.ws_row > 0) size.rows = now.ws_row;
  }
  size.columns = said(std::getenv("COLUMNS")).value_or(size.columns);
  size.rows = said(std::getenv("LINES")).value_or(size.rows);
  return size;
}

bool can_steer() {
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb";
}

bool can_ask() { return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1; }

bool ask_whether(std::string_view question) {
  if (!can_ask()) return false;
  (void)write_all(STDERR_FILENO, fmt::format("{} [y/N] ", question));
  const auto line = read_line(nullptr);
  if (!line) (void)write_all(STDERR_FILENO, "\n");
  const std::string answer = folded(line.value_or(""));
  return answer == "y" || answer == "yes";
}

std::string ask_unseen(std::string_view prompt) {
  if (::isatty(STDIN_FILENO) != 1) {
    throw Error(ErrorCode::kInvalidArgument, "There is no terminal to ask for an answer.");
  }
  for (;;) {
    std::optional<std::string> line;
    {
      const SignalsHeld signals;
      const Unshown unshown;
      (void)write_all(STDERR_FILENO, prompt);
      line = read_line(&signals);
    }
    if (line) return *std::move(line);
    const int signal = came;
    if (signal == 0) throw Error(ErrorCode::kInvalidArgument, "No line was typed.");
    ::raise(signal);
    // After a stop, the question is repeated; any other signal ends it.
    if (signal != SIGTSTP) throw Error(ErrorCode::kUnavailable, "The question was interrupted.");
  }
}

}  // namespace chirp::cli
