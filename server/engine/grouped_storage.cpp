#include "server/engine/grouped_storage.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "core/error.h"
#include "core/limits.h"
#include "server/limits.h"

namespace chirp {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr auto kWaitMax = std::chrono::milliseconds(limits::kBusyMs);
// How long can_write() stays false after a failure: then the server counts as healthy again, or
// nobody would send it the next write.
constexpr auto kFailureCounts = std::chrono::seconds(10);

// One caller's changes.
struct Work {
  std::span<const Change> changes;  // the caller's, who waits
  Time now;
  SteadyClock::time_point since;
  std::promise<std::vector<Outcome>> answer;
};

// Whether an error concerns everybody in a transaction.
bool is_common(ErrorCode code) {
  return code == ErrorCode::kStorageFull || code == ErrorCode::kUnavailable ||
         code == ErrorCode::kReadOnly || code == ErrorCode::kIo;
}

// The exception being handled, as an Error.
Error current_error() {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(ErrorCode::kUnavailable, "There is not enough memory for this. Try again.");
  } catch (const std::exception& error) {
    return Error(ErrorCode::kInternal, error.what());
  }
}

// Each caller gets a copy of the error: errors are read and dropped on many threads.
void fail(Work& work, const Error& error) {
  const Error own(error.code(), std::string(error.what()), std::string(error.field()));
  work.answer.set_exception(std::make_exception_ptr(own));
}

bool changed_anything(std::span<const Outcome> outcomes) {
  return std::any_of(outcomes.begin(), outcomes.end(),
                     [](const Outcome& outcome) { return outcome.result == Result::kDone; });
}

class Grouped final : public GroupedStorage {
 public:
  Grouped(Storage& inner, Metrics& metrics, std::function<void()> committed)
      : GroupedStorage(inner),
        metrics_(metrics),
        committed_(std::move(committed)),
        writer_([this] { run(); }) {}

  ~Grouped() override {
    {
      const std::lock_guard guard(mutex_);
      stopping_ = true;
    }
    arrived_.notify_one();
    writer_.join();
  }
  Grouped(const Grouped&) = delete;
  Grouped& operator=(const Grouped&) = delete;

  std::vector<Outcome> write(std::span<const Change> changes, Time now) override {
    if (changes.empty()) return {};
    Work work{changes, now, SteadyClock::now(), {}};
    auto answer = work.answer.get_future();
    {
      // This waits for no room: no more calls wait than there are threads that write.
      const std::lock_guard guard(mutex_);
      waiting_.push_back(std::move(work));
      // Notifies under the lock: after it the answer may come first, and with it the end of this
      // object.
      arrived_.notify_one();
    }
    return answer.get();
  }

  [[nodiscard]] std::size_t waiting() const override {
    const std::lock_guard guard(mutex_);
    return waiting_.size();
  }

  [[nodiscard]] bool can_write() const override {
    const auto failed = failed_at_.load();
    return failed == SteadyClock::time_point{} || SteadyClock::now() - failed > kFailureCounts;
  }

 private:
  // Empty when it is time to end.
  std::vector<Work> take() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    std::vector<Work> batch;
    std::size_t changes = 0;
    while (!waiting_.empty()) {
      changes += waiting_.front().changes.size();
      if (!batch.empty() && changes > limits::kBatchChangesMax) break;
      batch.push_back(std::move(waiting_.front()));
      waiting_.pop_front();
    }
    return batch;
  }

  void run() {
    for (auto batch = take(); !batch.empty(); batch = take()) {
      refuse_late(batch);
      if (batch.empty()) continue;
      write_together(batch);
    }
  }

  // Refuses callers who have waited as long as one waits for the writers' turn.
  static void refuse_late(std::vector<Work>& batch) {
    const auto now = SteadyClock::now();
    std::erase_if(batch, [&](Work& work) {
      if (now - work.since < kWaitMax) return false;
      fail(work, Error(ErrorCode::kUnavailable,
                       "Too much is being written, or writing takes too long. Try again."));
      return true;
    });
  }

  void write_together(std::vector<Work>& batch) {
    if (batch.size() == 1) return write_alone(batch.front());
    std::vector<Change> changes;
    Time now = batch.front().now;
    for (const Work& work : batch) {
      changes.insert(changes.end(), work.changes.begin(), work.changes.end());
      now = std::max(now, work.now);
    }
    std::vector<Outcome> outcomes;
    try {
      outcomes = write_now(changes, now);
    } catch (...) {
      const Error error = current_error();
      if (is_common(error.code())) {
        note_failure(error);
        for (Work& work : batch) fail(work, error);
        return;
      }
      for (Work& work : batch) write_alone(work);
      return;
    }
    auto next = outcomes.begin();
    for (Work& work : batch) {
      const auto end = next + static_cast<std::ptrdiff_t>(work.changes.size());
      work.answer.set_value({next, end});
      next = end;
    }
    committed_();
  }

  void write_alone(Work& work) {
    std::vector<Outcome> outcomes;
    try {
      outcomes = write_now(work.changes, work.now);
    } catch (...) {
      const Error error = current_error();
      if (is_common(error.code())) note_failure(error);
      return fail(work, error);
    }
    work.answer.set_value(std::move(outcomes));
    committed_();
  }

  std::vector<Outcome> write_now(std::span<const Change> changes, Time now) {
    const auto start = SteadyClock::now();
    auto outcomes = inner_.write(changes, now);
    check(outcomes.size() == changes.size(), "a store gives an outcome for each change");
    const auto micros =
        std::chrono::duration_cast<std::chrono::microseconds>(SteadyClock::now() - start).count();
    if (changed_anything(outcomes)) metrics_.write_batch(changes.size(), micros);
    failed_at_ = SteadyClock::time_point{};
    return outcomes;
  }

  void note_failure(const Error& error) {
    if (error.code() != ErrorCode::kUnavailable) failed_at_ = SteadyClock::now();
  }

  Metrics& metrics_;
  std::function<void()> committed_;
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Work> waiting_;
  bool stopping_ = false;
  std::atomic<SteadyClock::time_point> failed_at_{SteadyClock::time_point{}};
  std::thread writer_;
};

}  // namespace

std::unique_ptr<GroupedStorage> group_writes(Storage& inner, Metrics& metrics,
                                             std::function<void()> committed) {
  return std::make_unique<Grouped>(inner, metrics, std::move(committed));
}

}  // namespace chirp
