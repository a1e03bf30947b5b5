#include "server/engine/upkeep.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/ports/forwarding_storage.h"
#include "core/rules/writing.h"
#include "server/engine/store_gauges.h"
#include "server/limits.h"
#include "server/timed_condition.h"

namespace chirp {
namespace {

constexpr std::int64_t kBetweenSweepsMs = 60'000;
// The steps of consumers before readers' timelines get a turn, and the steps of tier changes before
// consumers get one.
constexpr int kStepsAtOnce = 20;

// Thrown between two steps when the thread must stop.
struct Stopping {};

// Forwards calls to the store, but throws Stopping instead of writing once this thread must stop.
class StoppableStorage final : public ForwardingStorage {
 public:
  StoppableStorage(Storage& inner, const std::atomic<bool>& stopping)
      : ForwardingStorage(inner), stopping_(stopping) {}

  bool decide(Time now, Purpose purpose, const Decision& decision) override {
    if (stopping_) throw Stopping{};
    return inner_.decide(now, purpose, decision);
  }

 private:
  const std::atomic<bool>& stopping_;
};

// A periodic task.
class Due {
 public:
  Due(const Clock& clock, std::int64_t every_ms)
      : clock_(clock), every_ns_(every_ms * 1'000'000), next_ns_(clock.steady_ns()) {}
  // Returns true at most once per period.
  [[nodiscard]] bool now() {
    const std::int64_t time = clock_.steady_ns();
    if (time < next_ns_) return false;
    next_ns_ = time + every_ns_;
    return true;
  }
  [[nodiscard]] std::int64_t next_ns() const { return next_ns_; }

 private:
  const Clock& clock_;
  std::int64_t every_ns_;
  std::int64_t next_ns_;
};

}  // namespace

class UpkeepThread::Thread {
 public:
  explicit Thread(UpkeepParts parts)
      : parts_(std::move(parts)),
        storage_(parts_.storage, stopping_),
        engine_(storage_, parts_.directory, parts_.hasher, parts_.clock),
        consumers_(storage_, parts_.clock, {.large = limits::kLargeFanOut}),
        gauges_(parts_.storage, parts_.directory, parts_.clock, parts_.metrics),
        look_around_(parts_.clock, limits::kLookAroundMs),
        sweep_(parts_.clock, kBetweenSweepsMs),
        readers_due_(parts_.clock, kBetweenSweepsMs),
        old_readers_(parts_.log),
        woken_(parts_.clock, mutex_) {
    consumers_.observe(parts_.delivered);
  }

  ~Thread() {
    {
      const std::lock_guard guard(mutex_);
      stopping_ = true;
    }
    woken_.notify_one();
    ending_.notify_one();
    begins_.notify_one();
    if (thread_.joinable()) thread_.join();
  }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  void prepare() {
    thread_ = std::thread([this] {
      {
        std::unique_lock lock(mutex_);
        begins_.wait(lock, [this] { return begun_ || stopping_; });
      }
      run();
    });
  }

  void start() {
    if (!thread_.joinable()) prepare();
    {
      const std::lock_guard guard(mutex_);
      begun_ = true;
    }
    begins_.notify_one();
  }

  void wake() noexcept {
    if (moved_.exchange(true)) return;
    // Locks and unlocks the mutex: then a thread that read the flag under it is waiting by now.
    { const std::lock_guard guard(mutex_); }
    woken_.notify_one();
  }

  void after_read(UserNumber viewer, feed::Upkeep what) {
    {
      const std::lock_guard guard(mutex_);
      if (readings_.size() < limits::kReadingsMax) readings_.push_back(viewer);
      if (what == feed::Upkeep::kNone || reads_.size() >= limits::kAfterReadsMax) return;
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
    woken_.wait_until(lock, look_around_.next_ns(), [this] { return stopping_ || moved_; });
    // Other writes in the meantime go into the same steps.
    ending_.wait_for(lock, std::chrono::milliseconds(limits::kGatherMs),
                     [this] { return stopping_.load(); });
    moved_ = false;
  }

  void round() {
    const bool look_around = look_around_.now();
    if (!right_ && look_around) take_right();
    if (right_) run_consumers(look_around);
    look_after_readers();
    engine_.accounts().resume();
    if (right_ && sweep_.now()) engine_.media().sweep();
    gauges_.update_if_due();
    if (parts_.oldest_reader && readers_due_.now()) old_readers_.note(parts_.oldest_reader());
  }

  void take_right() {
    right_ = parts_.try_consumer_right();
    if (!right_) return;
    parts_.log.write(Severity::kInfo, "keeping timelines and counters up to date");
    engine_.accounts().resume();
  }

  // Logs the beginning and the end of a pause.
  void note_pause() {
    const bool paused = consumers_.is_paused();
    if (paused == paused_) return;
    paused_ = paused;
    const auto refused = parts_.storage.refusal(SpaceUse::kAdds);
    if (refused) {
      parts_.log.write(Severity::kWarning, "the disk reserve is reached: consumers are paused",
                       {{"why", std::string(refused->what())}});
    } else if (!paused) {
      parts_.log.write(Severity::kInfo, "there is disk space again: consumers continue");
    }
  }

  void run_consumers(bool look_around) {
    note_pause();
    for (int steps = 0; steps < kStepsAtOnce; ++steps) {
      note_readings();
      if (!consumers_.step_in_turn()) break;
      moved_ = true;  // there may be more
      count_deliveries();
      if (stopping_) throw Stopping{};
      if (!consumers_.hurried(limits::kHurryEvents)) break;
    }
    if (consumers_.remove_traces()) moved_ = true;
    for (int turns = 0; turns < kStepsAtOnce && consumers_.settle_tiers(); ++turns) moved_ = true;
    if (look_around) consumers_.tidy();
  }

  void count_deliveries() {
    const std::uint64_t fresh = consumers_.deliveries() - counted_;
    if (fresh == 0) return;
    counted_ += fresh;
    parts_.metrics.add("chirp_deliveries_total", "Posts and reposts put into timelines", {},
                       static_cast<double>(fresh));
  }

  // Call before fan-out decides which timelines to drop.
  void note_readings() {
    std::vector<UserNumber> readings;
    {
      const std::lock_guard guard(mutex_);
      readings.swap(readings_);
    }
    for (const UserNumber viewer : readings) consumers_.note_read(viewer);
  }

  void look_after_readers() {
    std::map<UserNumber, feed::Upkeep> reads;
    {
      const std::lock_guard guard(mutex_);
      reads.swap(reads_);
    }
    std::optional<double> reading_share;
    if (right_) reading_share = parts_.reading_share();
    for (const auto& [viewer, what] : reads) {
      if (stopping_) throw Stopping{};
      engine_.feeds().after_read(viewer, what, reading_share);
    }
  }

  UpkeepParts parts_;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> moved_{false};
  StoppableStorage storage_;
  Engine engine_;
  events::Consumers consumers_;
  std::uint64_t counted_ = 0;  // deliveries of consumers_ already in the metrics
  bool paused_ = false;        // by the disk reserve, as last logged
  StoreGauges gauges_;
  std::shared_ptr<void> right_;
  Due look_around_;
  Due sweep_;
  Due readers_due_;
  OldReaders old_readers_;
  std::mutex mutex_;
  TimedCondition woken_;
  std::condition_variable ending_;  // waits during short pauses
  std::map<UserNumber, feed::Upkeep> reads_;
  std::vector<UserNumber> readings_;  // viewers whose feeds were read from the store
  std::condition_variable begins_;
  bool begun_ = false;
  std::thread thread_;
};

UpkeepThread::UpkeepThread(UpkeepParts parts)
    : thread_(std::make_unique<Thread>(std::move(parts))) {}
UpkeepThread::~UpkeepThread() = default;

void UpkeepThread::start() { thread_->start(); }
void UpkeepThread::prepare() { thread_->prepare(); }

void UpkeepThread::wake() noexcept { thread_->wake(); }

void UpkeepThread::after_read(UserNumber viewer, feed::Upkeep what) {
  thread_->after_read(viewer, what);
}

}  // namespace chirp
