#include "server/engine/pulse.h"

#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>

#include "core/ports/caller.h"
#include "server/timed_condition.h"

namespace chirp {
namespace {

std::optional<StoreState> state_of(const Storage& storage) {
  try {
    return storage.snapshot()->state();
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

constexpr std::int64_t ns(std::chrono::nanoseconds time) { return time.count(); }

}  // namespace

class Pulse::Thread {
 public:
  Thread(const Storage& storage, const Clock& clock, std::chrono::nanoseconds bound)
      : storage_(storage), clock_(clock), bound_(bound), changed_(clock, mutex_), thread_([this] {
          run();
        }) {}

  ~Thread() {
    {
      const std::lock_guard guard(mutex_);
      is_over_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  // Returns the state from a beat that began after this call.
  std::optional<StoreState> state() {
    std::unique_lock lock(mutex_);
    if (is_overdue() || is_doubted()) return std::nullopt;
    const std::uint64_t wanted = wanted_ = begun_ + 1;
    changed_.notify_all();
    const bool is_there = changed_.wait_until(lock, clock_.steady_ns() + ns(kOverdue),
                                              [&] { return ended_ >= wanted; });
    return is_there && !is_doubted() ? last_ : std::nullopt;
  }

 private:
  // Call with the lock held.
  [[nodiscard]] bool is_overdue() const {
    return begun_ > ended_ && clock_.steady_ns() - begun_ns_ >= ns(kOverdue);
  }

  // Whether an answer was recently overdue, for this thread or a request. Call with the lock held.
  [[nodiscard]] bool is_doubted() const {
    const std::int64_t now = clock_.steady_ns();
    const auto missed = CallerDeadline::last_missed();
    return now < doubted_until_ || (missed && *missed <= now && now - *missed < ns(kDoubt));
  }

  void run() {
    std::unique_lock lock(mutex_);
    while (!is_over_) {
      begun_ns_ = clock_.steady_ns();
      ++begun_;
      lock.unlock();
      auto seen = beat();
      lock.lock();
      last_ = seen;
      if (is_overdue()) doubted_until_ = clock_.steady_ns() + ns(kDoubt);
      ended_ = begun_;
      changed_.notify_all();
      changed_.wait_until(lock, clock_.steady_ns() + ns(kEach),
                          [this] { return is_over_ || wanted_ > begun_; });
    }
  }

  std::optional<StoreState> beat() {
    const CallerDeadline deadline(clock_.steady_ns() + ns(bound_));
    return state_of(storage_);
  }

  const Storage& storage_;
  const Clock& clock_;
  const std::chrono::nanoseconds bound_;
  std::mutex mutex_;
  TimedCondition changed_;
  bool is_over_ = false;
  std::uint64_t wanted_ = 0;  // the beat that a caller waits for
  std::uint64_t begun_ = 0;   // number of beats
  std::uint64_t ended_ = 0;
  std::int64_t begun_ns_ = 0;
  std::int64_t doubted_until_ = 0;
  std::optional<StoreState> last_;
  std::thread thread_;
};

Pulse::Pulse(const Storage& storage, const Clock& clock, std::chrono::nanoseconds bound)
    : storage_(storage),
      thread_(bound.count() == 0 ? nullptr : std::make_unique<Thread>(storage, clock, bound)) {}

Pulse::~Pulse() = default;

std::optional<StoreState> Pulse::state() { return thread_ ? thread_->state() : state_of(storage_); }

}  // namespace chirp
