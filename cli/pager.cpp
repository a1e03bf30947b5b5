#include "cli/pager.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <span>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "cli/descriptor.h"
#include "cli/terminal.h"
#include "cli/write_all.h"

namespace chirp::cli {
namespace {

// State for the signal handler: the pager, and the pipe to it.
std::atomic<pid_t> running{0};
std::atomic<int> pipe_to{-1};

constexpr std::array kSignals{SIGINT, SIGQUIT, SIGTERM, SIGHUP};

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

// Two programs must not read the keys of one terminal, so this process ends only after the pager,
// which gets no more input. Ctrl-C reaches both, and a pager stays open to show what it has.
extern "C" void on_end(int signal) {
  ::close(pipe_to.exchange(-1));
  const pid_t pager = running.exchange(0);
  if (pager > 0 && (signal == SIGTERM || signal == SIGHUP)) ::kill(pager, signal);
  if (pager > 0) (void)wait_for(pager);
  handle(signal, SIG_DFL);
  ::raise(signal);
}

// Whether the user interrupted the pager after everything was written.
std::atomic<bool> pager_interrupted{false};

// While the pager shows a complete answer, only the pager handles these keys.
extern "C" void on_key(int /*signal*/) { pager_interrupted = true; }

// Replaces handler `from` by `to`. Signals that are ignored or handled otherwise stay so.
void replace(void (*from)(int), void (*to)(int), std::span<const int> signals) {
  for (const int signal : signals) {
    struct sigaction now {};
    ::sigaction(signal, nullptr, &now);
    if (now.sa_handler == from) handle(signal, to);
  }
}

// Without -R, `less` shows colours as odd characters. -R comes first, so the user's own options
// override it.
std::vector<std::string> environment() {
  constexpr std::string_view kLess = "LESS=";
  std::vector<std::string> pairs;
  for (char** pair = environ; *pair != nullptr; ++pair) {
    if (!std::string_view(*pair).starts_with(kLess)) pairs.emplace_back(*pair);
  }
  const char* told = std::getenv("LESS");
  pairs.push_back(told == nullptr ? "LESS=FRX" : fmt::format("LESS=-R {}", told));
  return pairs;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

// Splits a command into words; a command with shell syntax is run by /bin/sh.
std::vector<std::string> words_of(const std::string& command) {
  if (command.find_first_of("|&;<>()$`\\\"'*?[#~=%\n") != std::string::npos) {
    return {"/bin/sh", "-c", command};
  }
  std::vector<std::string> words;
  for (std::size_t at = 0; at < command.size();) {
    const std::size_t begin = command.find_first_not_of(" \t", at);
    if (begin == std::string::npos) break;
    at = std::min(command.find_first_of(" \t", begin), command.size());
    words.push_back(command.substr(begin, at - begin));
  }
  return words;
}

// Starts the program with `input` as its standard input and default signals. Returns -1 on failure.
pid_t spawn(const std::string& command, int input, const sigset_t& mask) {
  std::vector<std::string> words = words_of(command);
  if (words.empty()) return -1;
  std::vector<std::string> variables = environment();
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (::posix_spawn_file_actions_init(&actions) != 0) return -1;
  if (::posix_spawnattr_init(&attributes) != 0) {
    ::posix_spawn_file_actions_destroy(&actions);
    return -1;
  }
  ::posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  sigset_t usual;
  ::sigemptyset(&usual);
  ::sigaddset(&usual, SIGPIPE);  // which this process ignores
  ::sigaddset(&usual, SIGXFSZ);
  ::posix_spawnattr_setsigdefault(&attributes, &usual);
  ::posix_spawnattr_setsigmask(&attributes, &mask);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  pid_t pid = -1;
  const int failed = ::posix_spawnp(&pid, words.front().c_str(), &actions, &attributes,
                                    pointers(words).data(), pointers(variables).data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? pid : -1;
}

// The number of unread bytes in a pipe, given its read end; empty if unknown.
std::size_t unread_in(int pipe) {
  int bytes = 0;
  return pipe >= 0 && ::ioctl(pipe, FIONREAD, &bytes) == 0 ? static_cast<std::size_t>(bytes) : 0;
}

// Describes the failure of a program; empty if it was quit normally.
std::string failure_of(int status) {
  if (WIFEXITED(status)) {
    // A shell reports a signal as 128 plus its number; most such signals come from the user.
    const int exited = WEXITSTATUS(status);
    return exited == 0 || exited >= 128 ? "" : "ended with status " + std::to_string(exited);
  }
  const int signal = WTERMSIG(status);
  const bool meant = signal == SIGPIPE || std::ranges::count(kSignals, signal) > 0;
  return meant ? "" : "was ended by signal " + std::to_string(signal);
}

}  // namespace

std::string pager_command() {
  if (!can_steer()) return {};
  const char* named = std::getenv("CHIRP_PAGER");
  if (named == nullptr) named = std::getenv("PAGER");
  const std::string command = named == nullptr ? "less" : named;
  return command == "cat" ? "" : command;
}

std::unique_ptr<Pager> Pager::start(const std::string& command) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return nullptr;
  // A signal between the two calls would find no handler.
  sigset_t held;
  sigset_t mask;
  ::sigemptyset(&held);
  for (const int signal : kSignals) ::sigaddset(&held, signal);
  ::pthread_sigmask(SIG_BLOCK, &held, &mask);
  const pid_t pid = spawn(command, ends[0], mask);
  ::close(ends[0]);
  std::unique_ptr<Pager> started(pid > 0 ? new Pager(pid, ends[1]) : nullptr);
  if (!started) ::close(ends[1]);
  ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  return started;
}

Pager::Pager(pid_t pid, int fd) : pid_(pid), fd_(fd) {
  running = pid;
  pipe_to = fd;
  replace(SIG_DFL, on_end, kSignals);
}

int Pager::write(std::string_view text) {
  // A write of at most PIPE_BUF bytes is atomic, so the number of bytes in the pipe is exact.
  for (std::size_t at = 0; at < text.size(); at += PIPE_BUF) {
    const std::string_view piece = text.substr(at, PIPE_BUF);
    if (const int error = write_all(fd_, piece); error != 0) return error;
    written_ += piece.size();
  }
  return 0;
}

bool Pager::left() {
  if (pid_ == 0) return ran_;
  const std::span keys = std::span(kSignals).first(2);
  pager_interrupted = false;
  replace(on_end, on_key, keys);
  // This read end counts the bytes that the pager has left unread. It is opened only now, because
  // writes never fail with EPIPE while another reader exists.
  const std::string written_to = "/proc/self/fd/" + std::to_string(fd_);
  const Descriptor pipe(::open(written_to.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  ::close(pipe_to.exchange(-1));
  const int status = wait_for(pid_);
  running = 0;
  pid_ = 0;
  replace(on_key, SIG_DFL, keys);
  replace(on_end, SIG_DFL, kSignals);
  if (!pager_interrupted) failure_ = failure_of(status);
  // A shell returns 126 and 127 for a command that it can't start or find.
  const bool started =
      !WIFEXITED(status) || (WEXITSTATUS(status) != 126 && WEXITSTATUS(status) != 127);
  const bool read = unread_in(pipe.get()) < written_;
  ran_ = started && (read || failure_.empty());
  return ran_;
}

}  // namespace chirp::cli
