#include "cli/directory/overtime.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/status.h"
#include "cli/write_all.h"
#include "core/error.h"

namespace chirp::cli {
namespace {

// A query that looks at the clock by itself ends by itself, within so long.
constexpr std::chrono::nanoseconds kGrace = std::chrono::seconds(1);

}  // namespace

Overtime::Overtime(Output& out, const query::Deadline& deadline)
    : out_(out), deadline_(deadline), thread_([this] { watch(); }) {}

Overtime::~Overtime() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  over_.notify_one();
  thread_.join();
}

void Overtime::watch() {
  const std::chrono::nanoseconds left(std::max<std::int64_t>(deadline_.left_ns(), 0));
  std::unique_lock lock(mutex_);
  if (over_.wait_for(lock, left + kGrace, [this] { return done_; })) return;
  // Whoever prints looks at the clock, too, unless a terminal that is held keeps them.
  if (print_rest_ == nullptr && over_.wait_for(lock, kGrace, [this] { return done_; })) return;
  end();
}

// With the lock: a step that comes to its end now goes no further.
void Overtime::end() {
  const Error error = deadline_.error();
  if (print_rest_ == nullptr) {
    // What is printed is another thread's.
    (void)write_all(STDERR_FILENO, fmt::format("chirp: {}\n", error.what()));
  } else {
    try {
      out_.unpaged();  // nobody is left to wait for a pager
      (*print_rest_)();
      out_.warn(error.what());
    } catch (const std::exception&) {
      // Nobody reads it.
      (void)write_all(STDERR_FILENO, fmt::format("chirp: {}\n", error.what()));
    }
  }
  ::_exit(static_cast<int>(status_of(error.code())));
}

}  // namespace chirp::cli
