#include "server/engine/grouped_storage.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <future>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "core/error.h"
#include "core/limits.h"
#include "core/ports/caller.h"
#include "core/rules/changes.h"
#include "server/limits.h"

namespace chirp {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::int64_t kWaitMaxNs = limits::kBusyMs * kNsPerMs;
// How long can_write() stays false after a failure. Then the server counts as healthy again:
// otherwise it would get no write that could succeed.
constexpr std::int64_t kFailureCountsNs = 10'000 * kNsPerMs;
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();

class Round;

// The answer to one caller.
struct Answer {
  std::vector<Outcome> outcomes;
  std::optional<Error> error;
  std::shared_ptr<Round> round;  // all callers answered with this one
};

// One caller's changes and their result. The caller allocates everything its answer needs, so that
// nothing has to be allocated between a commit and its answers.
struct PendingWork {
  std::span<const Change> changes;  // owned by the caller, who waits
  Time now;
  std::int64_t since_ns;
  std::shared_ptr<Round> round;  // for all in the transaction; the first work's is used
  std::vector<Outcome> outcomes;
  std::optional<Error> error;
  std::promise<Answer> answer;
  // For a caller with a deadline: a copy of its changes, which must outlive its wait. `settled` is
  // set by whichever is first: the caller that leaves, or the thread that answers.
  std::vector<Change> kept{};
  std::shared_ptr<std::atomic<bool>> settled{};
};

// Works move from list to list without an allocation.
using Works = std::list<PendingWork>;

// Callers that get their answers together. Each wakes the next one. If all woke at once, they would
// compete with readers for processors, and the writer thread would spend its time waking them
// instead of writing the next batch.
class Round : public std::enable_shared_from_this<Round> {
 public:
  void begin(Works works) noexcept {
    works_ = std::move(works);
    next_ = works_.begin();
    tell_next();
  }

  // Each answered caller calls this first, so there are never two calls at once.
  void tell_next() noexcept {
    while (next_ != works_.end() && next_->settled && next_->settled->exchange(true)) ++next_;
    if (next_ == works_.end()) return;
    PendingWork& work = *next_++;
    work.answer.set_value({std::move(work.outcomes), std::move(work.error), shared_from_this()});
  }

 private:
  Works works_;
  Works::iterator next_ = works_.end();
};

void tell(Works works) noexcept {
  const std::shared_ptr<Round> round = std::move(works.front().round);
  round->begin(std::move(works));
}

// Whether an error concerns every caller in a transaction.
bool is_common(ErrorCode code) {
  return code == ErrorCode::kStorageFull || code == ErrorCode::kUnavailable ||
         code == ErrorCode::kReadOnly || code == ErrorCode::kNotLetIn || code == ErrorCode::kIo;
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

bool changed_anything(const Works& batch) {
  const auto is_done = [](const Outcome& outcome) { return outcome.result == Result::kDone; };
  return std::any_of(batch.begin(), batch.end(), [&](const PendingWork& work) {
    return std::any_of(work.outcomes.begin(), work.outcomes.end(), is_done);
  });
}

std::size_t changes_in(const Works& batch) {
  std::size_t changes = 0;
  for (const PendingWork& work : batch) changes += work.changes.size();
  return changes;
}

class GroupedWriter final : public GroupedStorage {
 public:
  GroupedWriter(Storage& inner, const Clock& clock, Metrics& metrics,
                std::function<void()> committed)
      : GroupedStorage(inner),
        clock_(clock),
        metrics_(metrics),
        committed_(std::move(committed)),
        writer_([this] { run(); }) {}

  ~GroupedWriter() override {
    {
      const std::lock_guard guard(mutex_);
      stopping_ = true;
    }
    arrived_.notify_one();
    writer_.join();
  }
  GroupedWriter(const GroupedWriter&) = delete;
  GroupedWriter& operator=(const GroupedWriter&) = delete;

  std::vector<Outcome> write(std::span<const Change> changes, Time now) override {
    if (changes.empty()) return {};
    // Checked here, so that other callers do not share the refusal.
    if (rules::adds(changes)) {
      if (const auto refused = inner_.refusal(SpaceUse::kAdds)) throw Error(*refused);
    }
    Works own;
    own.push_back({changes, now, clock_.steady_ns(), std::make_shared<Round>(), {}, {}, {}});
    auto told = own.front().answer.get_future();
    const PendingWork& work = own.front();
    const auto end_ns = CallerDeadline::current();
    std::shared_ptr<std::atomic<bool>> settled;
    if (end_ns) {
      own.front().kept.assign(changes.begin(), changes.end());
      own.front().changes = own.front().kept;
      own.front().settled = settled = std::make_shared<std::atomic<bool>>(false);
    }
    {
      // No limit is needed: there are at most as many calls as threads that write.
      const std::lock_guard guard(mutex_);
      waiting_.splice(waiting_.end(), own);
      // Notifies under the lock: otherwise the answer, and the end of this object, could come
      // first.
      arrived_.notify_one();
    }
    if (end_ns && !is_told(told, *end_ns) && !settled->exchange(true)) leave(work);
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
    const std::int64_t failed = failed_at_ns_.load();
    return failed == kNever || clock_.steady_ns() - failed > kFailureCountsNs;
  }

 private:
  [[nodiscard]] bool is_told(const std::future<Answer>& told, std::int64_t end_ns) const {
    const auto left =
        std::chrono::nanoseconds(std::max<std::int64_t>(end_ns - clock_.steady_ns(), 0));
    return told.wait_for(left) == std::future_status::ready;
  }

  // Throws for a caller whose deadline has passed.
  [[noreturn]] void leave(const PendingWork& own) {
    {
      const std::lock_guard guard(mutex_);
      const auto waiting =
          std::ranges::find_if(waiting_, [&](const PendingWork& work) { return &work == &own; });
      if (waiting != waiting_.end()) {
        waiting_.erase(waiting);
        throw Error(ErrorCode::kUnavailable,
                    "Writing took too long. Nothing was changed. Try again.");
      }
    }
    throw Error(ErrorCode::kUnavailable,
                "The store does not answer, so it is not known whether the change was made. Check "
                "before you try again.",
                "outcome");
  }

  // Returns the next batch; empty when stopping.
  Works take() {
    Works batch;
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    add_waiting(batch);
    return batch;
  }

  // Moves waiting works to the batch, as many as fit. Call with `mutex_` held.
  void add_waiting(Works& batch) {
    std::size_t changes = changes_in(batch);
    while (!waiting_.empty()) {
      changes += waiting_.front().changes.size();
      if (!batch.empty() && changes > limits::kBatchChangesMax) break;
      batch.splice(batch.end(), waiting_, waiting_.begin());
    }
  }

  void run() {
    for (auto batch = take(); !batch.empty(); batch = take()) {
      refuse_late(batch);
      if (!batch.empty()) write_together(std::move(batch));
    }
  }

  // Refuses callers that have waited as long as the limit for the writers' turn.
  void refuse_late(Works& batch) const {
    const std::int64_t now = clock_.steady_ns();
    Works late;
    for (auto at = batch.begin(); at != batch.end();) {
      const auto work = at++;
      if (now - work->since_ns >= kWaitMaxNs) late.splice(late.end(), batch, work);
    }
    if (late.empty()) return;
    fail(std::move(late),
         Error(ErrorCode::kUnavailable,
               "Too much is being written, or writing takes too long. Try again."));
  }

  // Each caller gets a copy of the error, because several threads read and destroy errors.
  static void fail(Works batch, const Error& error) {
    for (PendingWork& work : batch) {
      work.error.emplace(error.code(), std::string(error.what()), error.field());
    }
    tell(std::move(batch));
  }

  // Callers that arrive while this waits for its turn join the batch.
  void write_together(Works batch) {
    try {
      write_now(batch, [this, &batch] {
        const std::lock_guard guard(mutex_);
        add_waiting(batch);
      });
    } catch (...) {
      const Error error = current_error();
      if (is_common(error.code())) note_failure(error);
      if (is_common(error.code()) || batch.size() == 1) return fail(std::move(batch), error);
      while (!batch.empty()) {
        Works one;
        one.splice(one.begin(), batch, batch.begin());
        write_alone(std::move(one));
      }
      return;
    }
    tell(std::move(batch));
    committed_();
  }

  void write_alone(Works one) {
    try {
      write_now(one, [] {});
    } catch (...) {
      const Error error = current_error();
      if (is_common(error.code())) note_failure(error);
      return fail(std::move(one), error);
    }
    tell(std::move(one));
    committed_();
  }

  // Calls `close` during the turn; the batch does not change after it.
  void write_now(Works& batch, const std::function<void()>& close) {
    const std::int64_t start = clock_.steady_ns();
    const auto now =
        std::max_element(batch.begin(), batch.end(),
                         [](const PendingWork& a, const PendingWork& b) { return a.now < b.now; })
            ->now;
    (void)inner_.decide(now, Purpose::kChange, [&](Rows& rows) {
      close();
      bool changed = false;
      for (PendingWork& work : batch)
        changed |= rules::apply_all(rows, work.changes, work.outcomes);
      return changed;
    });
    note_written(batch, clock_.steady_ns() - start);
  }

  // The batch is durable. A failure of the metrics must not reach its callers as an error: they
  // would write it again.
  void note_written(const Works& batch, std::int64_t took_ns) noexcept {
    failed_at_ns_ = kNever;
    if (!changed_anything(batch)) return;
    try {
      metrics_.write_batch(changes_in(batch), took_ns / 1000);
    } catch (...) {
      // The metrics lack this batch.
    }
  }

  void note_failure(const Error& error) {
    if (error.code() != ErrorCode::kUnavailable) failed_at_ns_ = clock_.steady_ns();
  }

  const Clock& clock_;
  Metrics& metrics_;
  std::function<void()> committed_;
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  Works waiting_;
  bool stopping_ = false;
  std::atomic<std::int64_t> failed_at_ns_{kNever};
  std::thread writer_;
};

}  // namespace

std::unique_ptr<GroupedStorage> group_writes(Storage& inner, const Clock& clock, Metrics& metrics,
                                             std::function<void()> committed) {
  return std::make_unique<GroupedWriter>(inner, clock, metrics, std::move(committed));
}

}  // namespace chirp
