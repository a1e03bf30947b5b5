#include "server/engine/upkeep.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "core/error.h"
#include "server/engine/census.h"
#include "server/engine/forwarding_storage.h"
#include "server/limits.h"

namespace chirp {
namespace {

using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

constexpr auto kGather = std::chrono::milliseconds(limits::kGatherMs);
constexpr auto kLookAround = std::chrono::milliseconds(limits::kLookAroundMs);
constexpr auto kBetweenSweeps = 60s;

// Thrown between two steps when it is time to end.
struct Stopping {};

// The store, as long as this thread is to go on; counts deliveries.
class WhileWanted final : public ForwardingStorage {
 public:
  WhileWanted(Storage& inner, const std::atomic<bool>& stopping, Metrics& metrics)
      : ForwardingStorage(inner), stopping_(stopping), metrics_(metrics) {}

  using ForwardingStorage::commit;
  bool commit(const FanOutStep& step, Time now) override {
    go_on();
    const bool done = inner_.commit(step, now);
    if (done && !step.deliveries.empty()) {
      metrics_.add("chirp_deliveries_total", "Posts and reposts put into timelines", {},
                   static_cast<double>(step.deliveries.size()));
    }
    return done;
  }
  bool remove_traces(UserNumber user, std::uint32_t rows, Time now) override {
    go_on();
    return inner_.remove_traces(user, rows, now);
  }
  bool remove_post_traces(std::uint32_t rows, Time now) override {
    go_on();
    return inner_.remove_post_traces(rows, now);
  }
  std::uint64_t trim_log(Time before, std::uint32_t rows) override {
    go_on();
    return inner_.trim_log(before, rows);
  }
  std::uint64_t forget_keys(Time before, std::uint32_t rows) override {
    go_on();
    return inner_.forget_keys(before, rows);
  }

 private:
  void go_on() const {
    if (stopping_) throw Stopping{};
  }

  const std::atomic<bool>& stopping_;
  Metrics& metrics_;
};

// Something that is done now and then.
class Due {
 public:
  explicit Due(SteadyClock::duration every) : every_(every) {}
  // True at most once in that time.
  [[nodiscard]] bool now() {
    const auto time = SteadyClock::now();
    if (time < next_) return false;
    next_ = time + every_;
    return true;
  }

 private:
  SteadyClock::duration every_;
  SteadyClock::time_point next_{};
};

}  // namespace

class Upkeep::Thread {
 public:
  explicit Thread(UpkeepParts parts)
      : parts_(std::move(parts)),
        storage_(parts_.storage, stopping_, parts_.metrics),
        engine_(storage_, parts_.directory, parts_.hasher, parts_.clock),
        consumers_(storage_, parts_.clock),
        census_(parts_.storage, parts_.directory, parts_.metrics) {}

  ~Thread() {
    {
      const std::lock_guard guard(mutex_);
      stopping_ = true;
    }
    woken_.notify_one();
    if (thread_.joinable()) thread_.join();
  }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  void start() {
    thread_ = std::thread([this] { run(); });
  }

  void wake() noexcept {
    if (moved_.exchange(true)) return;
    // Whoever is about to wait has looked at the flag under this lock.
    { const std::lock_guard guard(mutex_); }
    woken_.notify_one();
  }

  void after_read(UserNumber viewer, feed::Upkeep what) {
    if (what == feed::Upkeep::kNone) return;
    {
      const std::lock_guard guard(mutex_);
      if (reads_.size() >= limits::kAfterReadsMax) return;
      reads_[viewer] = what;
    }
    wake();
  }

 private:
  void run() {
    while (!stopping_) {
      try {
        round();
      } catch (const Stopping&) {
        return;
      } catch (const std::exception& error) {
        parts_.log.write(Severity::kWarning, "upkeep is put off",
                         {{"error", std::string(error.what())}});
      }
      wait();
    }
  }

  void wait() {
    std::unique_lock lock(mutex_);
    woken_.wait_for(lock, kLookAround, [this] { return stopping_ || moved_; });
    // What others write in the meantime goes into the same steps.
    woken_.wait_for(lock, kGather, [this] { return stopping_.load(); });
    moved_ = false;
  }

  void round() {
    const bool look_around = look_around_.now();
    if (!right_ && look_around) take_right();
    if (right_) run_consumers(look_around);
    look_after_readers();
    engine_.accounts().resume();
    if (right_ && sweep_.now()) engine_.media().sweep();
    census_.take_if_due();
  }

  void take_right() {
    right_ = parts_.try_consumer_right();
    if (!right_) return;
    parts_.log.write(Severity::kInfo, "keeping timelines and counters up to date");
    engine_.accounts().resume();
  }

  void run_consumers(bool look_around) {
    while (consumers_.step()) {
      moved_ = true;  // there may be more
      if (pending() < limits::kHurryEvents) break;
    }
    if (consumers_.remove_traces()) moved_ = true;
    if (look_around) consumers_.tidy();
  }

  [[nodiscard]] std::uint64_t pending() const {
    if (stopping_) throw Stopping{};
    const StoreState state = parts_.storage.snapshot()->state();
    const Sequence taken =
        std::min({state.fan_out, state.counters, state.notifications, state.trends});
    return state.log_end.value - taken.value;
  }

  void look_after_readers() {
    std::map<UserNumber, feed::Upkeep> reads;
    {
      const std::lock_guard guard(mutex_);
      reads.swap(reads_);
    }
    for (const auto& [viewer, what] : reads) {
      if (stopping_) throw Stopping{};
      feed::Page page;
      page.upkeep = what;
      engine_.feeds().after_read(viewer, page);
    }
  }

  UpkeepParts parts_;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> moved_{false};
  WhileWanted storage_;
  Engine engine_;
  events::Consumers consumers_;
  Census census_;
  std::shared_ptr<void> right_;
  Due look_around_{kLookAround};
  Due sweep_{kBetweenSweeps};
  std::mutex mutex_;
  std::condition_variable woken_;
  std::map<UserNumber, feed::Upkeep> reads_;
  std::thread thread_;
};

Upkeep::Upkeep(UpkeepParts parts) : thread_(std::make_unique<Thread>(std::move(parts))) {}
Upkeep::~Upkeep() = default;

void Upkeep::start() { thread_->start(); }

void Upkeep::wake() noexcept { thread_->wake(); }

void Upkeep::after_read(UserNumber viewer, const feed::Page& page) {
  thread_->after_read(viewer, page.upkeep);
}

}  // namespace chirp
