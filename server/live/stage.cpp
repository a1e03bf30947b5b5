#include "server/live/stage.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/ports/caller.h"
#include "core/ports/reads.h"
#include "server/limits.h"
#include "server/live/open_streams.h"
#include "server/live/stage_messages.h"
#include "server/live/wire.h"

namespace chirp::live {
namespace {

struct Watcher {
  std::shared_ptr<http::Outlet> outlet;
  std::function<bool()> still_allowed;
  std::shared_ptr<void> place;  // a slot of limits::kStageWatchersMax
  std::shared_ptr<void> line;   // its registration among the open streams
  std::int64_t ask_at = 0;
  std::int64_t heartbeat_at = 0;
  bool fresh = true;  // has not received the state yet
};

// Messages from other threads to the sending thread.
struct Mail {
  std::vector<Watcher> joining;
  std::vector<events::DeliveryReport> reports;
  StageReads reads;
  bool closed = false;
};

// Returns those of `posts` that exist and are public. The stage does not show the others.
std::set<PostId> public_among(const Snapshot& snapshot, std::span<const PostId> posts) {
  std::set<PostId> found;
  for (const auto& post : snapshot.posts_at(posts)) {
    if (post && post->privacy == Privacy::kPublic) found.insert(post->id);
  }
  return found;
}

}  // namespace

class Stage::Thread {
 public:
  Thread(Engine& engine, const Deliveries& deliveries) : engine_(engine), deliveries_(deliveries) {}
  ~Thread() { stop(); }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  std::function<void(std::shared_ptr<http::Outlet>)> open(UserNumber viewer,
                                                          std::function<bool()> still_allowed) {
    auto watcher = std::make_shared<Watcher>();
    watcher->still_allowed = std::move(still_allowed);
    watcher->place = take_place(viewer);
    return [this, viewer, watcher](std::shared_ptr<http::Outlet> outlet) {
      watcher->outlet = outlet;
      watcher->line = open_->add(
          viewer, {outlet, watcher->still_allowed, std::make_shared<std::atomic<bool>>(false)});
      // Otherwise a permission revoked before the stream was registered would go unnoticed.
      open_->recheck(viewer);
      if (!join(*watcher)) outlet->close();
    };
  }

  void start() {
    const std::lock_guard starting(starting_);
    run_thread();
  }
  void recheck(UserNumber viewer) const { open_->recheck(viewer); }

  void wake() noexcept {
    put([](Mail&) {});
  }
  void note(const events::DeliveryReport& report) {
    put([&](Mail& mail) {
      if (mail.reports.size() < limits::kStageReportsMax) mail.reports.push_back(report);
    });
  }
  void note(const feed::Page& page) {
    put([&](Mail& mail) { mail.reads.add(page); });
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      mail_.closed = true;
    }
    changed_.notify_one();
    const std::lock_guard lock(starting_);
    if (thread_.joinable()) thread_.join();
  }

 private:
  // Adds to the mail and wakes the thread; does nothing without watchers.
  template <class Add>
  void put(const Add& add) {
    if (*watching_ == 0) return;
    {
      const std::lock_guard lock(mutex_);
      add(mail_);
      woken_ = true;
    }
    changed_.notify_one();
  }

  // Released with the last owner of the returned handle.
  [[nodiscard]] std::shared_ptr<void> take_place(UserNumber viewer) {
    constexpr std::uint64_t kAnyAddress = std::numeric_limits<std::uint64_t>::max();
    auto slot = slots_.take(viewer, {}, kAnyAddress);
    watching_->fetch_add(1);
    return {nullptr,
            [watching = watching_, slot = std::move(slot)](void*) { watching->fetch_sub(1); }};
  }

  // Returns false if the stage was stopped. Starts the thread for the first watcher, if needed.
  bool join(Watcher& watcher) {
    const std::lock_guard starting(starting_);
    {
      const std::lock_guard lock(mutex_);
      if (mail_.closed) return false;
      mail_.joining.push_back(std::move(watcher));
      woken_ = true;
    }
    run_thread();
    changed_.notify_one();
    return true;
  }

  // Call with `starting_` held.
  void run_thread() {
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  }

  void run() {
    for (;;) {
      Mail mail = wait();
      for (Watcher& watcher : mail.joining) watchers_.push_back(std::move(watcher));
      if (mail.closed) break;
      const RequestVersions glance;  // one check of the store for all watchers
      try {
        tell(mail);
      } catch (const std::exception&) {
        version_.reset();  // what failed now is read at the next look
      }
      const std::int64_t now_ms = engine_.clock().steady_ns() / 1'000'000;
      std::erase_if(watchers_, [&](Watcher& watcher) { return !keep(watcher, now_ms); });
    }
    for (const Watcher& watcher : watchers_) watcher.outlet->close();
    watchers_.clear();
  }

  [[nodiscard]] Mail wait() {
    std::unique_lock lock(mutex_);
    const auto closed = [&] { return mail_.closed; };
    const auto due = [&] { return woken_ || mail_.closed; };
    if (watchers_.empty()) {
      changed_.wait(lock, due);
    } else if (!changed_.wait_for(lock, std::chrono::milliseconds(limits::kStageBeatMs), closed)) {
      changed_.wait_for(lock, std::chrono::milliseconds(limits::kLiveLookMs), due);
    }
    woken_ = false;
    Mail mail = std::exchange(mail_, {});
    mail_.closed = mail.closed;
    return mail;
  }

  // The log comes first, so that a post is sent before its delivery reports.
  void tell(const Mail& mail) {
    if (watchers_.empty()) return version_.reset();
    const bool is_fresh = std::ranges::any_of(watchers_, &Watcher::fresh);
    const bool moved = !version_ || engine_.storage().version() != *version_;
    if (moved || is_fresh) tell_store();
    if (!mail.reports.empty()) tell_reports(mail.reports);
    if (mail.reads.pages != 0) send(reads_block(mail.reads));
  }

  void tell_store() {
    const auto snapshot = engine_.storage().snapshot();
    const StoreState state = snapshot->state();
    const bool is_known = version_.has_value();
    const std::string settings = state_block(state.settings);
    const std::string queue = queue_block(state);
    for (Watcher& watcher : watchers_) {
      if (!std::exchange(watcher.fresh, false)) continue;
      (void)watcher.outlet->send(settings + queue);
    }
    if (is_known && settings != settings_) send(settings);
    if (is_known) tell_log(*snapshot, state);
    if (is_known && queue != queue_) send(queue);
    settings_ = settings;
    queue_ = queue;
    told_to_ = state.log_end;
    version_ = state.version;
  }

  // If there are many events, only the newest.
  void tell_log(const Snapshot& snapshot, const StoreState& state) {
    const std::uint64_t most = limits::kLiveChunkEvents;
    const Sequence from =
        std::max({told_to_, state.log_first,
                  Sequence{state.log_end.value - std::min(state.log_end.value, most)}});
    if (from >= state.log_end) return;
    const auto count = static_cast<std::uint32_t>(state.log_end.value - from.value);
    for (const events::Event& event : reads::events(snapshot, from, count)) {
      if (!events::makes_entry(event.topic) || event.privacy != Privacy::kPublic) continue;
      const auto card = reads::cards(snapshot, {&event.actor, 1}).front();
      if (card) send(post_block(event, *card, feed::delivery_of(snapshot, event.actor)));
    }
  }

  void tell_reports(std::span<const events::DeliveryReport> reports) {
    std::vector<PostId> named;
    for (const events::DeliveryReport& report : reports) {
      for (const events::PostDeliveries& one : report.delivered) named.push_back(one.post);
      for (const auto* ended : {&report.finished, &report.fetched}) {
        named.insert(named.end(), ended->begin(), ended->end());
      }
    }
    const auto shown = public_among(*engine_.storage().snapshot(), named);
    for (const events::DeliveryReport& report : reports) {
      if (!report.delivered.empty()) send(delivery_block(report, shown));
      for (const auto* ended : {&report.finished, &report.fetched}) {
        for (const PostId post : *ended) {
          const auto record = shown.contains(post) ? deliveries_.find(post) : std::nullopt;
          if (record) send(done_block(post, *record));
        }
      }
    }
  }

  void send(const std::string& block) const {
    for (const Watcher& watcher : watchers_) (void)watcher.outlet->send(block);
  }

  [[nodiscard]] static bool keep(Watcher& watcher, std::int64_t now_ms) {
    if (watcher.outlet->flow() == http::Outlet::Flow::kGone) return false;
    if (now_ms >= watcher.ask_at) {
      watcher.ask_at = now_ms + limits::kStreamAllowedMs;
      if (!is_allowed(watcher.still_allowed)) {
        watcher.outlet->cut();
        return false;
      }
    }
    if (now_ms < watcher.heartbeat_at) return true;
    watcher.heartbeat_at = now_ms + limits::kHeartbeatMs;
    return watcher.outlet->send(heartbeat(std::nullopt));
  }

  Engine& engine_;
  const Deliveries& deliveries_;
  StreamSlots slots_{limits::kStageWatchersMax, limits::kStageWatchersPerUserMax};
  std::shared_ptr<OpenStreams> open_ = std::make_shared<OpenStreams>();
  std::shared_ptr<std::atomic<std::size_t>> watching_ =
      std::make_shared<std::atomic<std::size_t>>(0);

  // ---- used only by the thread
  std::vector<Watcher> watchers_;
  std::optional<std::uint64_t> version_;  // of the state that was last sent; empty without watchers
  Sequence told_to_;                      // the end of the log that was sent
  std::string settings_;                  // as last sent, like the next
  std::string queue_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool woken_ = false;
  Mail mail_;
  std::mutex starting_;
  std::thread thread_;
};

Stage::Stage(Engine& engine, const Deliveries& deliveries)
    : thread_(std::make_unique<Thread>(engine, deliveries)) {}
Stage::~Stage() = default;

std::function<void(std::shared_ptr<http::Outlet>)> Stage::open(
    UserNumber viewer, std::function<bool()> still_allowed) {
  return thread_->open(viewer, std::move(still_allowed));
}
void Stage::start() { thread_->start(); }
void Stage::recheck(UserNumber viewer) { thread_->recheck(viewer); }
void Stage::wake() noexcept { thread_->wake(); }
void Stage::note(const events::DeliveryReport& report) { thread_->note(report); }
void Stage::note(const feed::Page& page) { thread_->note(page); }
void Stage::stop() { thread_->stop(); }

}  // namespace chirp::live
