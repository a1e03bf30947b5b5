#include "server/live/hub.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"
#include "server/http/descriptors.h"
#include "server/limits.h"
#include "server/live/open_streams.h"
#include "server/live/streams.h"

namespace chirp::live {
namespace {

// Messages from other threads to the sending thread.
class HubMailbox {
 public:
  enum class Closed : std::uint8_t { kNo, kYes };
  struct Mail {
    std::vector<Joining> joining;
    Closed closed = Closed::kNo;
  };

  // Returns false if it is closed.
  [[nodiscard]] bool put(Joining& joining) {
    {
      const std::lock_guard lock(mutex_);
      if (mail_.closed == Closed::kYes) return false;
      mail_.joining.push_back(std::move(joining));
      woken_ = true;
    }
    changed_.notify_one();
    return true;
  }
  void wake() noexcept {
    {
      const std::lock_guard lock(mutex_);
      if (woken_) return;
      woken_ = true;
    }
    changed_.notify_one();
  }
  void close() {
    {
      const std::lock_guard lock(mutex_);
      mail_.closed = Closed::kYes;
    }
    changed_.notify_one();
  }
  [[nodiscard]] bool is_closed() const {
    const std::lock_guard lock(mutex_);
    return mail_.closed == Closed::kYes;
  }

  // Waits until a stream joins or the hub is closed.
  void rest() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !mail_.joining.empty() || mail_.closed == Closed::kYes; });
  }

  // Waits at least `least`, then until it is woken, at most `most` in all. Closing it ends any
  // wait.
  [[nodiscard]] Mail wait(std::chrono::milliseconds least, std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    const auto closed = [&] { return mail_.closed == Closed::kYes; };
    if (!changed_.wait_for(lock, least, closed)) {
      changed_.wait_for(lock, most - least, [&] { return woken_ || closed(); });
    }
    woken_ = false;
    Mail mail{{}, mail_.closed};
    mail.joining.swap(mail_.joining);
    return mail;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool woken_ = false;
  Mail mail_;
};

}  // namespace

class Hub::Thread {
 public:
  Thread(Engine& engine, Metrics& metrics, std::string_view secret)
      : engine_(engine),
        metrics_(metrics),
        digests_(secret),
        streams_(engine.storage(), digests_),
        mailbox_(std::make_shared<HubMailbox>()) {
    metrics.gauge("chirp_streams_open", "Streams that are open.", {},
                  [slots = slots_] { return static_cast<double>(slots->taken()); });
  }
  ~Thread() { stop(); }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  std::function<void(std::shared_ptr<http::Outlet>)> open(Subscription subscription) {
    if (mailbox_->is_closed()) {
      throw Error(ErrorCode::kUnavailable, "The server is stopping. Try again later.");
    }
    auto joining = std::make_shared<Joining>();
    joining->viewer = subscription.viewer;
    joining->slot =
        slots_->take(subscription.viewer, subscription.address, subscription.address_max);
    const auto snapshot = engine_.storage().snapshot();
    joining->place = subscription.last_event_id
                         ? place_after(*snapshot, digests_, *subscription.last_event_id)
                         : place_at_end(*snapshot, digests_);
    joining->opened_at = snapshot->state().log_end;
    joining->still_allowed = std::move(subscription.still_allowed);
    start();
    return [joining, mailbox = mailbox_, lines = register_](std::shared_ptr<http::Outlet> outlet) {
      joining->outlet = std::move(outlet);
      const auto was_cut = std::make_shared<std::atomic<bool>>(false);
      joining->was_cut = was_cut;
      joining->line =
          lines->add(joining->viewer, {joining->outlet, joining->still_allowed, was_cut});
      // A permission that was revoked before the stream was registered has not been noticed yet.
      lines->recheck(joining->viewer);
      if (!mailbox->put(*joining)) joining->outlet->close();
    };
  }

  void start() {
    const std::lock_guard lock(starting_);
    if (thread_.joinable() || mailbox_->is_closed()) return;
    thread_ = std::thread([this] { run(); });
  }

  void recheck(UserNumber viewer) const { register_->recheck(viewer); }

  void wake() noexcept { mailbox_->wake(); }
  [[nodiscard]] std::uint64_t streams() const { return slots_->taken(); }
  void stop() {
    mailbox_->close();
    const std::lock_guard lock(starting_);
    if (thread_.joinable()) thread_.join();
  }

 private:
  void run() {
    mailbox_->rest();
    StepResult result = StepResult::kQuiet;
    for (;;) {
      const std::chrono::milliseconds look(limits::kLiveLookMs);
      const std::chrono::milliseconds pause(limits::kLiveStepMs);
      auto mail = result == StepResult::kMore      ? mailbox_->wait({}, {})
                  : result == StepResult::kWaiting ? mailbox_->wait(pause, pause)
                                                   : mailbox_->wait(pause, look);
      const std::int64_t now = engine_.clock().steady_ns() / 1'000'000;
      for (Joining& joining : mail.joining) streams_.join(std::move(joining), now);
      if (mail.closed == HubMailbox::Closed::kYes) break;
      result = step(now);
    }
    streams_.close_all();
    count();
  }

  StepResult step(std::int64_t now) {
    StepResult result = StepResult::kQuiet;
    try {
      result = streams_.step(now);
    } catch (const std::exception&) {
      // The next look continues where this one failed.
      metrics_.add("chirp_stream_failures_total", "Steps of the streams that failed.", {}, 1);
    }
    count();
    return result;
  }

  void count() {
    const StreamTally tally = streams_.take_tally();
    for (const auto& [event, number] : tally.events) {
      metrics_.add("chirp_stream_events_total", "Blocks sent on streams.",
                   {{"event", std::string(event)}}, static_cast<double>(number));
    }
    for (std::size_t i = 0; i < kStreamEnds; ++i) {
      if (tally.ends[i] == 0) continue;
      metrics_.add("chirp_streams_ended_total", "Streams that have ended, by reason.",
                   {{"reason", std::string(name(static_cast<StreamEnd>(i)))}},
                   static_cast<double>(tally.ends[i]));
    }
  }

  Engine& engine_;
  Metrics& metrics_;
  std::shared_ptr<StreamSlots> slots_ = std::make_shared<StreamSlots>(http::descriptors().streams);
  std::shared_ptr<OpenStreams> register_ = std::make_shared<OpenStreams>();
  EventDigests digests_;
  Streams streams_;  // used only by the thread
  std::shared_ptr<HubMailbox> mailbox_;
  std::mutex starting_;
  std::thread thread_;
};

Hub::Hub(Engine& engine, Metrics& metrics, std::string_view secret)
    : thread_(std::make_unique<Thread>(engine, metrics, secret)) {}
Hub::~Hub() = default;

std::function<void(std::shared_ptr<http::Outlet>)> Hub::open(Subscription subscription) {
  return thread_->open(std::move(subscription));
}
void Hub::start() { thread_->start(); }
void Hub::recheck(UserNumber viewer) { thread_->recheck(viewer); }
void Hub::wake() noexcept { thread_->wake(); }
std::uint64_t Hub::streams() const { return thread_->streams(); }
void Hub::stop() { thread_->stop(); }

}  // namespace chirp::live
