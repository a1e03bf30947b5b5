#include "cli/bench/reference/pace.h"

#include <cerrno>
#include <time.h>

namespace chirp::cli::bench {
namespace {

std::int64_t monotonic() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * kNanos + time.tv_nsec;
}

}  // namespace

RealRunClock::RealRunClock() : start_(monotonic()) {}

std::int64_t RealRunClock::now() { return monotonic() - start_; }

void RealRunClock::await(std::int64_t moment) {
  const std::int64_t at = start_ + moment;
  const timespec time{at / kNanos, at % kNanos};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) == EINTR) {
  }
}

void Paced::add(const Paced& other) {
  times.add(other.times);
  done += other.done;
  late += other.late;
}

Paced run_paced(RunClock& clock, const Schedule& schedule, std::int64_t end,
                const std::function<void(std::uint64_t)>& piece) {
  Paced paced;
  std::int64_t now = clock.now();
  std::uint64_t n = 0;
  for (; schedule.due(n) < end && now < end; ++n) {
    const std::int64_t due = schedule.due(n);
    if (now < due) {
      clock.await(due);
      if (clock.now() >= end) break;
    }
    piece(n);
    now = clock.now();
    paced.times.add(static_cast<std::uint64_t>(std::max<std::int64_t>(now - due, 0)));
    ++paced.done;
  }
  for (; schedule.due(n) < end; ++n) {
    paced.times.add(static_cast<std::uint64_t>(end - schedule.due(n)));
    ++paced.late;
  }
  return paced;
}

}  // namespace chirp::cli::bench
