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

// A query that checks the deadline itself ends within this time.
constexpr std::chrono::nanoseconds kGrace = std::chrono::seconds(1);

}  // namespace

Overtime::Overtime(Output& out, const query::QueryDeadline& deadline)
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
  // Printing checks the deadline, too, except while a terminal blocks it.
  if (print_rest_ == nullptr && over_.wait_for(lock, kGrace, [this] { return done_; })) return;
  end();
}

// Called with the lock held, so a step that ends now waits for the lock.
void Overtime::end() {
  const Error error = deadline_.error();
  if (print_rest_ == nullptr) {
    // Buffered output belongs to another thread.
    (void)write_all(STDERR_FILENO, fmt::format("chirp: {}\n", error.what()));
  } else {
    try {
      out_.unpaged();  // there is no time to wait for a pager
      (*print_rest_)();
      out_.warn(error.what());
    } catch (const std::exception&) {
      // The output has no reader.
      (void)write_all(STDERR_FILENO, fmt::format("chirp: {}\n", error.what()));
    }
  }
  ::_exit(static_cast<int>(status_of(error.code())));
}

}  // namespace chirp::cli
