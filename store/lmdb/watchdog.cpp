#include "store/lmdb/watchdog.h"

#include <csignal>
#include <mutex>
#include <pthread.h>
#include <string_view>
#include <unistd.h>

namespace chirp::lmdb {
namespace {

[[noreturn]] void end(std::string_view words) {
  (void)!::write(STDERR_FILENO, words.data(), words.size());
  ::_exit(1);
}

// A signal from another process says nothing about the store.
bool is_of_timer(const siginfo_t& info) { return info.si_code == SI_TIMER; }

// Any thread may get the signal, because it ends the whole process.
extern "C" void on_no_end(int /*signal*/, siginfo_t* info, void* /*context*/) {
  if (!is_of_timer(*info)) return;
  end("chirp: a change goes round in the engine's store without end: the store may be damaged. "
      "Nothing was changed. Run `chirp doctor`, or restore a backup.\n");
}

// The value of `searches` at the last look at this thread.
constinit thread_local std::uint64_t seen = 0;

// Sent to the watched thread, and never while it waits.
extern "C" void on_look(int /*signal*/, siginfo_t* info, void* /*context*/) {
  if (!is_of_timer(*info)) return;
  const std::uint64_t now = searches.load(std::memory_order_relaxed);
  if (now % 2 == 1 && now == seen) {
    end("chirp: a search goes round in the engine's store without end: the store may be damaged. "
        "Run `chirp doctor`, or restore a backup.\n");
  }
  seen = now;
}

void handle(int number, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_RESTART | SA_SIGINFO;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(number, &action, nullptr);
}

int turn_signal() {
  static std::once_flag once;
  const int number = SIGRTMAX - 1;
  std::call_once(once, [number] { handle(number, on_no_end); });
  return number;
}

int look_signal() {
  static std::once_flag once;
  const int number = SIGRTMAX - 2;
  std::call_once(once, [number] {
    handle(number, on_look);
    // A child process inherits no timers, and makes its own.
    ::pthread_atfork(nullptr, nullptr, [] { searches.store(0, std::memory_order_relaxed); });
  });
  return number;
}

// The timer of a thread, during the thread's lifetime.
struct ThreadTimer {
  timer_t timer{};
  bool set = false;
  ~ThreadTimer() {
    if (set) ::timer_delete(timer);
  }
};

}  // namespace

Watchdog::Watchdog(std::chrono::milliseconds most) {
  clockid_t clock{};
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = turn_signal();
  itimerspec when{};
  when.it_value.tv_sec = most.count() / 1000;
  when.it_value.tv_nsec = most.count() % 1000 * 1'000'000;
  set_ = ::pthread_getcpuclockid(::pthread_self(), &clock) == 0 &&
         ::timer_create(clock, &event, &timer_) == 0;
  if (set_) ::timer_settime(timer_, 0, &when, nullptr);
}

Watchdog::~Watchdog() {
  if (set_) ::timer_delete(timer_);
}

void Search::watch() noexcept {
  thread_local ThreadTimer looks;
  clockid_t clock{};
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event._sigev_un._tid = ::gettid();
  event.sigev_signo = look_signal();
  itimerspec each{};
  each.it_value.tv_sec = kSearchMax.count();
  each.it_interval = each.it_value;
  looks.set = ::pthread_getcpuclockid(::pthread_self(), &clock) == 0 &&
              ::timer_create(clock, &event, &looks.timer) == 0;
  if (looks.set) ::timer_settime(looks.timer, 0, &each, nullptr);
}

}  // namespace chirp::lmdb
