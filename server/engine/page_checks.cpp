#include "server/engine/page_checks.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <thread>
#include <utility>

#include "core/error.h"

namespace chirp {
namespace {

constexpr int kNicest = 19;

enum class CheckResult : std::uint8_t { kRight, kWrong, kSkipped, kFailed };
constexpr std::array<std::string_view, 4> kNames{"right", "wrong", "skipped", "failed"};

struct Taken {
  std::unique_ptr<Snapshot> snapshot;
  feed::PageRequest request;
  feed::Page page;
};

std::string text_of(const std::optional<PostId>& cursor) {
  return cursor ? std::to_string(cursor->value) : std::string("none");
}

}  // namespace

class PageChecks::Checker {
 public:
  Checker(PageCheckParts parts, std::uint64_t every) : parts_(parts), every_(every) {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      parts_.metrics.counted("chirp_page_checks_total",
                             "Pages of home feeds that were compared with their definition",
                             {{"result", std::string(kNames[i])}},
                             [this, i] { return static_cast<double>(counts_[i].load()); });
    }
    thread_ = std::thread([this] { run(); });
  }
  ~Checker() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    moved_.notify_all();
    thread_.join();
  }
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  feed::Page page(const feed::PageRequest& request) {
    if (!takes_turn(++asked_)) {
      return parts_.memory != nullptr
                 ? parts_.memory->page(request)
                 : feed::hydrated_page(*parts_.storage.snapshot(), request, parts_.clock);
    }
    auto snapshot = parts_.storage.snapshot();
    feed::Page page = this->page(*snapshot, request);
    take({std::move(snapshot), request, page});
    return page;
  }
  std::optional<feed::Page> held_page(const feed::PageRequest& request) {
    if (parts_.memory == nullptr || is_due(asked_ + 1)) return std::nullopt;
    auto page = parts_.memory->held_page(request);
    if (page) ++asked_;
    return page;
  }
  feed::Page page(const Snapshot& snapshot, const feed::PageRequest& request) {
    return parts_.memory != nullptr ? parts_.memory->page(snapshot, request)
                                    : feed::hydrated_page(snapshot, request, parts_.clock);
  }

  void wait() {
    std::unique_lock lock(mutex_);
    moved_.wait(lock, [this] { return !next_ && !busy_; });
  }

 private:
  // Whether a check is due after so many requested pages.
  [[nodiscard]] bool is_due(std::uint64_t asked) const { return asked / every_ > turns_; }
  // Likewise; true for only one of several concurrent callers, which must make the check.
  [[nodiscard]] bool takes_turn(std::uint64_t asked) {
    std::uint64_t turns = turns_;
    const std::uint64_t due = asked / every_;
    return due > turns && turns_.compare_exchange_strong(turns, due);
  }

  void count(CheckResult result) { ++counts_[static_cast<std::size_t>(result)]; }

  void take(Taken taken) {
    {
      const std::lock_guard lock(mutex_);
      if (next_) return count(CheckResult::kSkipped);
      next_ = std::move(taken);
    }
    moved_.notify_all();
  }

  void run() {
    // Affects only this thread: on Linux each thread has its own priority.
    (void)::setpriority(PRIO_PROCESS, 0, kNicest);
    std::unique_lock lock(mutex_);
    for (;;) {
      moved_.wait(lock, [this] { return next_ || ending_; });
      if (ending_) return;
      std::optional<Taken> taken = std::exchange(next_, std::nullopt);
      busy_ = true;
      lock.unlock();
      check(*taken);
      taken.reset();  // so that no snapshot is kept while idle
      lock.lock();
      busy_ = false;
      moved_.notify_all();
    }
  }

  void check(const Taken& taken) {
    try {
      const auto wrong = feed::wrong_in(*taken.snapshot, taken.request, taken.page);
      count(wrong ? CheckResult::kWrong : CheckResult::kRight);
      if (wrong) tell(taken, *wrong);
    } catch (const std::exception& error) {
      count(CheckResult::kFailed);
      parts_.log.write(Severity::kError, "a page of a home feed could not be checked",
                       {{"why", std::string(error.what())}});
    }
  }

  void tell(const Taken& taken, const feed::FeedError& wrong) {
    const feed::PageRequest& request = taken.request;
    parts_.log.write(Severity::kError, "a page of a home feed differs from its definition",
                     {{"problem", wrong.problem},
                      {"post", std::to_string(wrong.post.value)},
                      {"userNumber", std::int64_t{request.viewer.value}},
                      {"cursor", text_of(request.before)},
                      {"after", text_of(request.after)},
                      {"limit", std::int64_t{request.limit}},
                      {"version", static_cast<std::int64_t>(taken.snapshot->state().version)},
                      {"fromMemory", std::string(taken.page.cost.from_memory ? "yes" : "no")}});
  }

  PageCheckParts parts_;
  const std::uint64_t every_;
  std::atomic<std::uint64_t> asked_{0};  // pages
  std::atomic<std::uint64_t> turns_{0};  // checks that came due
  std::array<std::atomic<std::uint64_t>, kNames.size()> counts_{};
  std::mutex mutex_;
  std::condition_variable moved_;
  std::optional<Taken> next_;  // to check after the current one
  bool busy_ = false;
  bool ending_ = false;
  std::thread thread_;
};

PageChecks::PageChecks(PageCheckParts parts, std::uint64_t every)
    : checker_(std::make_unique<Checker>(parts, every)) {}
PageChecks::~PageChecks() = default;

feed::Page PageChecks::page(const feed::PageRequest& request) { return checker_->page(request); }
std::optional<feed::Page> PageChecks::held_page(const feed::PageRequest& request) {
  return checker_->held_page(request);
}
feed::Page PageChecks::page(const Snapshot& snapshot, const feed::PageRequest& request) {
  return checker_->page(snapshot, request);
}
void PageChecks::wait() { checker_->wait(); }

namespace {

constexpr std::int64_t kEveryNs = 1'000'000'000;

}  // namespace

bool PlaceChecks::holds() {
  if (!check_) return true;
  const std::lock_guard lock(mutex_);
  const std::int64_t now = clock_.steady_ns();
  if (checked_at_ns_ && now - *checked_at_ns_ < kEveryNs) return holds_;
  checked_at_ns_ = now;
  const bool held = holds_;
  try {
    check_();
    holds_ = true;
  } catch (const Error& error) {
    holds_ = false;
    if (held) log_.write(Severity::kError, error.what());
  }
  return holds_;
}

}  // namespace chirp
