// Goal: a wait ends when the process makes no progress, and no sooner, however slow it is.
// Method: numbers of what was seen; children that are stopped, that work step by step, and that
// loop forever; the watch over a whole run, around small scripts.
#include "tests/support/progress.h"

#include <atomic>
#include <csignal>
#include <filesystem>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <doctest/doctest.h>

#include "tests/support/child.h"
#include "tests/support/eventually.h"

namespace chirp::test {
namespace {

using std::chrono::milliseconds;

// A forked copy that runs `body`; killed at the end of this.
class ForkedCopy {
 public:
  explicit ForkedCopy(void (*body)()) : pid_(::fork()) {
    REQUIRE(pid_ >= 0);
    if (pid_ > 0) return;
    body();
    ::_exit(0);
  }
  ~ForkedCopy() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ForkedCopy(const ForkedCopy&) = delete;
  ForkedCopy& operator=(const ForkedCopy&) = delete;

  // Whether it has ended. Lets it go on where it has stopped itself.
  bool goes_to_its_end() {
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    if (info.si_pid == pid_) return true;
    info = {};
    ::waitid(P_PID, static_cast<id_t>(pid_), &info, WSTOPPED | WNOHANG);
    if (info.si_pid != pid_) return false;
    ++steps_;
    ::kill(pid_, SIGCONT);
    return false;
  }
  [[nodiscard]] int steps() const { return steps_; }

 private:
  pid_t pid_;
  int steps_ = 0;
};

void use_processor(milliseconds time) {
  const std::clock_t end = std::clock() + time.count() * CLOCKS_PER_SEC / 1000;
  while (std::clock() < end) {
  }
}

// Until waiting is in vain; why it is.
std::string wait_in_vain(PatienceBounds bounds) {
  Patience patience(bounds);
  while (patience.rests()) {
  }
  return patience.reason();
}

// A script under the watch of this program.
Ended watched_script(const std::string& script) {
  return run({.arguments = {std::filesystem::read_symlink("/proc/self/exe").string(), "--watch",
                            "/bin/sh", "-c", script},
              .environment = {"CHIRP_HANGS_AFTER=1"}});
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("progress: quiet time counts, less the time in which something moved") {
  const PatienceBounds bounds{milliseconds(1000), milliseconds(5000)};
  Balance still;
  Balance starved;
  Balance ticking;
  Balance working;
  for (int i = 0; i < 9; ++i) {
    still.add(milliseconds(100), milliseconds(10), false);
    ticking.add(milliseconds(100), milliseconds(i % 5 == 0 ? 20 : 0), false);
  }
  CHECK(still.is_within(bounds));
  still.add(milliseconds(100), milliseconds(0), false);
  CHECK_FALSE(still.is_within(bounds));
  still.forget_quiet();
  CHECK(still.is_within(bounds));
  CHECK(ticking.is_within(bounds));
  for (int i = 0; i < 9; ++i) {
    ticking.add(milliseconds(100), milliseconds(i % 5 == 0 ? 20 : 0), false);
  }
  CHECK_FALSE(ticking.is_within(bounds));
  for (int i = 0; i < 100; ++i) {
    starved.add(milliseconds(400), milliseconds(0), true);
    starved.add(milliseconds(400), milliseconds(0), false);
    working.add(milliseconds(400), milliseconds(40), false);
  }
  CHECK(starved.is_within(bounds));
  CHECK(working.is_within(bounds));
  working.add(milliseconds(1000), milliseconds(1000), false);
  CHECK_FALSE(working.is_within(bounds));
  CHECK(working.words(bounds) == "5000 ms of processor time led nowhere");
}

TEST_CASE("progress: a waiter that was held up has seen no more for it") {
  Balance balance;
  for (int i = 0; i < 3; ++i) balance.add(milliseconds(60'000), milliseconds(0), false);
  CHECK(balance.is_within({milliseconds(2000), milliseconds(1)}));
}

TEST_CASE("progress: waiting for a child that makes no progress ends") {
  const ForkedCopy copy([] { ::raise(SIGSTOP); });
  CHECK(wait_in_vain({.quiet = milliseconds(300)}).starts_with("nothing moved for "));
}

TEST_CASE("progress: waiting for a child that loops forever ends") {
  const ForkedCopy copy([] { use_processor(std::chrono::hours(1)); });
  CHECK(wait_in_vain({.quiet = std::chrono::hours(1), .processor = milliseconds(50)})
            .ends_with(" led nowhere"));
}

TEST_CASE("progress: a child that works a little at a time is waited for") {
  // Together longer than the quiet time that is borne.
  static constexpr int kSteps = 16;
  ForkedCopy copy([] {
    for (int i = 0; i < kSteps; ++i) {
      use_processor(milliseconds(100));
      ::raise(SIGSTOP);
    }
  });
  // The last work of a step may be too little for a look to see it; so may its end.
  Patience patience({.quiet = milliseconds(1500)});
  while (!copy.goes_to_its_end() && patience.rests()) {
  }
  CHECK(copy.goes_to_its_end());
  CHECK(copy.steps() == kSteps);
}

TEST_CASE("progress: a thread is waited for, with and without a condition variable") {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_asked = false;
  std::atomic<bool> has_answered = false;
  std::thread other([&] {
    std::unique_lock lock(mutex);
    if (eventually(changed, lock, [&] { return is_asked; })) has_answered = true;
  });
  {
    const std::lock_guard lock(mutex);
    is_asked = true;
  }
  changed.notify_all();
  CHECK(eventually([&] { return has_answered.load(); }));
  other.join();
}

TEST_CASE("progress: a watched run ends as what it watches") {
  CHECK(watched_script("exit 7").status == 7);
  CHECK(watched_script("kill -TERM $$").signal == SIGTERM);
  CHECK(watched_script("echo said; echo told >&2").out == "said\n");
}

TEST_CASE("progress: a watched run that hangs is ended with what it started, and says so") {
  const Ended ended = watched_script("(sh -c 'kill -STOP $$' &); kill -STOP $$");
  CHECK(ended.status == 1);
  CHECK_MESSAGE(ended.err.starts_with("The test \"/bin/sh\" hangs: nothing moved for "), ended.err);
  CHECK(ended.err.find(" sh: T\n") != std::string::npos);
}

TEST_SUITE_END();

}  // namespace chirp::test
