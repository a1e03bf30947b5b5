#include "core/ports/caller.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace chirp {
namespace {

thread_local std::optional<std::int64_t> earliest;
thread_local RequestVersions* innermost = nullptr;

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();
std::atomic<std::int64_t> missed{kNever};

}  // namespace

CallerDeadline::CallerDeadline(std::int64_t end_ns) noexcept : outer_(earliest) {
  earliest = outer_ ? std::min(*outer_, end_ns) : end_ns;
}

CallerDeadline::~CallerDeadline() { earliest = outer_; }

std::optional<std::int64_t> CallerDeadline::current() noexcept { return earliest; }

void CallerDeadline::note_missed(std::int64_t now_ns) noexcept { missed = now_ns; }

std::optional<std::int64_t> CallerDeadline::last_missed() noexcept {
  const std::int64_t last = missed;
  return last == kNever ? std::nullopt : std::optional(last);
}

RequestVersions::RequestVersions(std::optional<Seen> seen) noexcept
    : seen_(std::move(seen)), outer_(std::exchange(innermost, this)) {}

RequestVersions::~RequestVersions() { innermost = outer_; }

RequestVersions* RequestVersions::current() noexcept { return innermost; }

}  // namespace chirp
