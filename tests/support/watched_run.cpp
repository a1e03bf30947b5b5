#include "tests/support/watched_run.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "tests/support/progress.h"
#include "tests/support/seeds.h"

namespace chirp::test {
namespace {

// Waits within a test give up earlier, and say what for.
constexpr std::uint64_t kQuietSeconds = 60;
constexpr std::chrono::hours kProcessor{1};
constexpr std::chrono::hours kAnyTime{24 * 365};

pid_t started_by = 0;

bool is_traced() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("TracerPid:")) return line.find_first_of("123456789") != std::string::npos;
  }
  return false;
}

Patience patience_of_a_test() {
  const bool is_long = std::getenv("CHIRP_TORTURE_SECONDS") != nullptr ||
                       std::getenv("CHIRP_SOAK_SECONDS") != nullptr;
  const std::chrono::seconds quiet(number_in_environment("CHIRP_HANGS_AFTER", kQuietSeconds));
  return Patience({quiet, is_long ? kAnyTime : kProcessor});
}

// The status of `run` if it has ended. Reaps whatever else has: the processes left without a parent
// come to this one.
std::optional<int> reaped(pid_t run) {
  for (int status = 0;;) {
    const pid_t ended = ::waitpid(-1, &status, WNOHANG);
    if (ended == run) return status;
    if (ended <= 0 && !(ended < 0 && errno == EINTR)) return std::nullopt;
  }
}

[[noreturn]] void end_as(int status) {
  if (WIFSIGNALED(status)) {
    const rlimit none{0, 0};  // the child has left its core already
    ::setrlimit(RLIMIT_CORE, &none);
    const int number = WTERMSIG(status);
    ::signal(number, SIG_DFL);
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, number);
    ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
    ::raise(number);
  }
  ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

[[noreturn]] void end_hanging(const Patience& patience) {
  fmt::print(stderr,
             "The test \"{}\" hangs: {}.\nIts processes and the states of their threads:\n{}",
             watched().test.data(), patience.reason(), described_processes());
  std::fflush(stderr);
  // Again for those that began meanwhile.
  for (std::vector<pid_t> all; !(all = processes_below_root()).empty();) {
    for (const pid_t pid : all) ::kill(pid, SIGKILL);
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
  }
  ::_exit(1);
}

[[noreturn]] void watch_over(pid_t run) {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int number : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    ::sigaddset(&signals, number);
  }
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  Patience patience = patience_of_a_test();
  for (unsigned test = 0;;) {
    if (const auto status = reaped(run)) end_as(*status);
    if (const unsigned now = watched().tests; now != test) {
      test = now;
      patience = patience_of_a_test();
    }
    const timespec pause{0, std::chrono::nanoseconds(patience.pause()).count()};
    siginfo_t info{};
    const int number = ::sigtimedwait(&signals, &info, &pause);
    // Keys of a terminal reach the child as well; what somebody sends to this process alone does
    // not.
    if (number > 0 && number != SIGCHLD && info.si_code <= 0) ::kill(run, number);
    if (number < 0 && errno == EAGAIN && !patience.lasts()) end_hanging(patience);
  }
}

}  // namespace

int run_watched(const std::function<int()>& body) {
  if (std::getenv("CHIRP_UNWATCHED") != nullptr || is_traced()) return body();
  void* const memory =
      ::mmap(nullptr, sizeof(Watched), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no memory");
  share_watched(*new (memory) Watched);
  const pid_t parent = ::getpid();
  watched().root = parent;
  started_by = ::getppid();
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t run = ::fork();
  if (run < 0) throw std::runtime_error("no process");
  if (run > 0) watch_over(run);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  return body();
}

pid_t run_started_by() { return started_by > 0 ? started_by : ::getppid(); }

void begin_watched_test(std::string_view name) {
  auto& shown = watched().test;
  const std::size_t length = std::min(name.size(), shown.size() - 1);
  name.copy(shown.data(), length);
  shown[length] = '\0';
  ++watched().tests;
}

}  // namespace chirp::test
