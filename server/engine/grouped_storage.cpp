#include "server/engine/grouped_storage.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <future>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "core/error.h"
#include "core/limits.h"
#include "core/rules/changes.h"
#include "server/limits.h"

namespace chirp {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr auto kWaitMax = std::chrono::milliseconds(limits::kBusyMs);
// How long can_write() stays false after a failure: then the server counts as healthy again, or
// nobody would send it the next write.
constexpr auto kFailureCounts = std::chrono::seconds(10);

class Round;

// What one caller is told.
struct Answer {
  std::vector<Outcome> outcomes;
  std::optional<Error> error;
  std::shared_ptr<Round> round;  // of all that are told
};

// One caller's changes, and what came of them.
struct Work {
  std::span<const Change> changes;  // the caller's, who waits
  Time now;
  SteadyClock::time_point since;
  std::vector<Outcome> outcomes;
  std::optional<Error> error;
  std::promise<Answer> answer;
};

// Callers that are told at the same time. They wake one after the other, each by the one before:
// all at once they would stand in the way of everybody else who wants a processor, readers first,
// and the writer thread would be busy waking them instead of writing for the next.
class Round : public std::enable_shared_from_this<Round> {
 public:
  explicit Round(std::vector<Work> works) : works_(std::move(works)) {}

  // Whoever is told does this before anything else.
  void tell_next() {
    const std::size_t at = next_++;
    if (at >= works_.size()) return;
    Work& work = works_[at];
    work.answer.set_value({std::move(work.outcomes), std::move(work.error), shared_from_this()});
  }

 private:
  std::vector<Work> works_;
  std::atomic<std::size_t> next_{0};
};

void tell(std::vector<Work> works) { std::make_shared<Round>(std::move(works))->tell_next(); }

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

bool changed_anything(const std::vector<Work>& batch) {
  const auto is_done = [](const Outcome& outcome) { return outcome.result == Result::kDone; };
  return std::any_of(batch.begin(), batch.end(), [&](const Work& work) {
    return std::any_of(work.outcomes.begin(), work.outcomes.end(), is_done);
  });
}

std::size_t changes_in(const std::vector<Work>& batch) {
  std::size_t changes = 0;
  for (const Work& work : batch) changes += work.changes.size();
  return changes;
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
    Work work{changes, now, SteadyClock::now(), {}, {}, {}};
    auto told = work.answer.get_future();
    {
      // This waits for no room: no more calls wait than there are threads that write.
      const std::lock_guard guard(mutex_);
      waiting_.push_back(std::move(work));
      // Notifies under the lock: after it the answer may come first, and with it the end of this
      // object.
      arrived_.notify_one();
    }
    Answer answer = told.get();
    answer.round->tell_next();
    if (answer.error) throw Error(*answer.error);
    return std::move(answer.outcomes);
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
    std::vector<Work> batch;
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    add_waiting(batch);
    return batch;
  }

  // Those who wait, as many as fit. `mutex_` is held.
  void add_waiting(std::vector<Work>& batch) {
    std::size_t changes = changes_in(batch);
    while (!waiting_.empty()) {
      changes += waiting_.front().changes.size();
      if (!batch.empty() && changes > limits::kBatchChangesMax) break;
      batch.push_back(std::move(waiting_.front()));
      waiting_.pop_front();
    }
  }

  void run() {
    for (auto batch = take(); !batch.empty(); batch = take()) {
      refuse_late(batch);
      if (!batch.empty()) write_together(std::move(batch));
    }
  }

  // Refuses callers who have waited as long as one waits for the writers' turn.
  static void refuse_late(std::vector<Work>& batch) {
    const auto now = SteadyClock::now();
    const auto late = std::stable_partition(
        batch.begin(), batch.end(), [&](const Work& work) { return now - work.since < kWaitMax; });
    std::vector<Work> refused(std::make_move_iterator(late), std::make_move_iterator(batch.end()));
    batch.erase(late, batch.end());
    fail(std::move(refused),
         Error(ErrorCode::kUnavailable,
               "Too much is being written, or writing takes too long. Try again."));
  }

  // Each caller gets a copy of the error: errors are read and dropped on many threads.
  static void fail(std::vector<Work> batch, const Error& error) {
    for (Work& work : batch) {
      work.error.emplace(error.code(), std::string(error.what()), error.field());
    }
    tell(std::move(batch));
  }

  // Who comes while the turn is waited for comes along.
  void write_together(std::vector<Work> batch) {
    try {
      write_now(batch, [this, &batch] {
        const std::lock_guard guard(mutex_);
        add_waiting(batch);
      });
    } catch (...) {
      const Error error = current_error();
      if (is_common(error.code())) note_failure(error);
      if (is_common(error.code()) || batch.size() == 1) return fail(std::move(batch), error);
      for (Work& work : batch) write_alone(std::move(work));
      return;
    }
    tell(std::move(batch));
    committed_();
  }

  void write_alone(Work work) {
    std::vector<Work> batch;
    batch.push_back(std::move(work));
    try {
      write_now(batch, [] {});
    } catch (...) {
      const Error error = current_error();
      if (is_common(error.code())) note_failure(error);
      return fail(std::move(batch), error);
    }
    tell(std::move(batch));
    committed_();
  }

  // `close` is called in the turn; after it the batch stays as it is.
  void write_now(std::vector<Work>& batch, const std::function<void()>& close) {
    const auto start = SteadyClock::now();
    const auto now = std::max_element(batch.begin(), batch.end(), [](const Work& a, const Work& b) {
                       return a.now < b.now;
                     })->now;
    (void)inner_.decide(now, Purpose::kChange, [&](Rows& rows) {
      close();
      bool changed = false;
      for (Work& work : batch) changed |= rules::apply_all(rows, work.changes, work.outcomes);
      return changed;
    });
    const auto micros =
        std::chrono::duration_cast<std::chrono::microseconds>(SteadyClock::now() - start).count();
    if (changed_anything(batch)) metrics_.write_batch(changes_in(batch), micros);
    failed_at_ = SteadyClock::time_point{};
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
