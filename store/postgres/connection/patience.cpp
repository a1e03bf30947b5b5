#include "store/postgres/connection/patience.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>

#include <fmt/format.h>

#include "core/ports/caller.h"
#include "store/deadline.h"

namespace chirp::postgres {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// How often to check for reasons to stop waiting that do not wake the thread.
constexpr std::int64_t kLookEachNs = nanoseconds(milliseconds(250)).count();
constexpr std::int64_t kNsPerMs = 1'000'000;
// The time that an answer in transit still gets.
constexpr int kGraceMs = 200;

std::int64_t now_ns() { return store::machine_clock().steady_ns(); }

// Returns why a wait that began at `begun` is over at `now`; empty while it goes on. Lowers `until`
// to the end of the wait.
std::string why_over(const WaitBounds& bounds, std::int64_t begun, std::int64_t now,
                     std::int64_t& until) {
  const auto ends_at = [&](std::int64_t end) {
    until = std::min(until, end);
    return now >= end;
  };
  const auto waited = [&] {
    return fmt::format("it was silent for {:.1f} s",
                       static_cast<double>(now - begun) / static_cast<double>(kNsPerMs * 1000));
  };
  if (bounds.end_ns && ends_at(*bounds.end_ns)) return waited();
  if (bounds.patience == nullptr) return {};
  if (bounds.patience->is_interrupted() || ends_at(bounds.patience->end_ns())) {
    return "it did not answer, and this process is to end";
  }
  const auto caller = CallerDeadline::current();
  if (!caller || !ends_at(*caller)) return {};
  return now - begun < kLookEachNs ? "there is no time left to wait for it" : waited();
}

}  // namespace

std::int64_t Patience::deadline() const { return now_ns() + nanoseconds(timeout_).count(); }

std::int64_t Patience::look_deadline() const { return now_ns() + nanoseconds(look_).count(); }

void Patience::hurry(milliseconds most) {
  const std::int64_t end = now_ns() + nanoseconds(most).count();
  std::int64_t before = end_ns_;
  while (end < before && !end_ns_.compare_exchange_weak(before, end)) continue;
}

bool is_caller_late() {
  const auto end = CallerDeadline::current();
  return end && now_ns() >= *end;
}

milliseconds left_of(milliseconds most) {
  const auto end = CallerDeadline::current();
  if (!end) return most;
  const milliseconds left = duration_cast<milliseconds>(nanoseconds(*end - now_ns()));
  return std::clamp(left, milliseconds(0), most);
}

std::string wait_for_socket(int socket, short events, short& ready, const WaitBounds& bounds) {
  const std::int64_t begun = now_ns();
  std::int64_t silent_since = begun;
  const bool looks = bounds.patience != nullptr && bounds.is_at_work;
  for (;;) {
    const std::int64_t now = now_ns();
    std::int64_t until = now + kLookEachNs;
    std::string why = why_over(bounds, begun, now, until);
    if (!why.empty()) {
      // If the caller had little time left, a timeout says nothing about the server.
      const bool was_long = bounds.patience != nullptr &&
                            2 * (now - begun) >= nanoseconds(bounds.patience->timeout()).count();
      if (was_long && CallerDeadline::current()) CallerDeadline::note_missed(now);
      return why;
    }
    if (looks && !CallerDeadline::current()) {
      const std::int64_t look_at = silent_since + nanoseconds(bounds.patience->timeout()).count();
      if (now >= look_at) {
        // The answer may have arrived just before the check.
        pollfd answered{socket, events, 0};
        if (!bounds.is_at_work() && ::poll(&answered, 1, kGraceMs) == 0) {
          return fmt::format("it has not taken up for {} s what it was asked",
                             bounds.patience->timeout().count() / 1000);
        }
        silent_since = now_ns();
        continue;
      }
      until = std::min(until, look_at);
    }
    pollfd polled{socket, events, 0};
    const std::int64_t ms = (until - now + kNsPerMs - 1) / kNsPerMs;
    const int count = ::poll(&polled, 1, static_cast<int>(ms));
    if (count < 0 && errno != EINTR) return std::strerror(errno);
    if (count > 0) {
      ready = polled.revents;
      return {};
    }
  }
}

}  // namespace chirp::postgres
