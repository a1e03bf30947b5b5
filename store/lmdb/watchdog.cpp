#include "store/lmdb/watchdog.h"

#include <csignal>
#include <mutex>
#include <pthread.h>
#include <string_view>
#include <unistd.h>

namespace chirp::lmdb {
namespace {

// Any thread may take the signal: the whole process ends.
extern "C" void on_no_end(int /*signal*/) {
  constexpr std::string_view kWords =
      "chirp: a change goes round in the engine's store without end, so the store is damaged. "
      "Nothing was changed. Run `chirp doctor`, or restore a backup.\n";
  (void)!::write(STDERR_FILENO, kWords.data(), kWords.size());
  ::_exit(1);
}

int signal_number() {
  static std::once_flag once;
  const int number = SIGRTMAX - 1;
  std::call_once(once, [number] {
    struct sigaction action {};
    action.sa_handler = on_no_end;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(number, &action, nullptr);
  });
  return number;
}

}  // namespace

Watchdog::Watchdog(std::chrono::milliseconds most) {
  clockid_t clock{};
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = signal_number();
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

}  // namespace chirp::lmdb
