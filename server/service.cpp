#include "server/service.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <utility>

#include "core/engine.h"
#include "core/rules/timed_storage.h"
#include "server/api/service_app.h"
#include "server/engine/commit_listener.h"
#include "server/engine/deliveries.h"
#include "server/engine/grouped_storage.h"
#include "server/engine/hashing_pool.h"
#include "server/engine/page_checks.h"
#include "server/engine/pulse.h"
#include "server/engine/upkeep.h"
#include "server/http/descriptors.h"
#include "server/http/front.h"
#include "server/json/render.h"
#include "server/live/hub.h"
#include "server/live/stage.h"
#include "server/metrics.h"

namespace chirp {
namespace {

// The number of pages after which the share read from the store is computed.
constexpr std::uint64_t kPagesForShare = 1000;

// How long running requests may take when the server ends. Then database waits are cut short.
constexpr std::chrono::seconds kHurry{2};

http::FrontOptions front_options(const ServiceOptions& options, const ServicePorts& ports) {
  http::FrontOptions front;
  front.looks_first = ports.database_use != nullptr;
  if (ports.hurry) front.ending = [hurry = ports.hurry] { hurry(kHurry); };
  front.host = options.host;
  front.port = options.port;
  front.read_threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  front.password_threads = hashing_threads_max() + limits::kPasswordThreadsSpare;
  return front;
}

// The hot set gets the rest of the memory.
std::size_t caller_bytes(const ServiceOptions& options) {
  constexpr std::size_t kShare = 16;
  return options.cache_bytes / kShare;
}

}  // namespace

class Service::Parts {
 public:
  Parts(ServicePorts ports, ServiceOptions options)
      : ports_(std::move(ports)),
        log_(options.requests, &ports_.clock),
        timed_(
            ports_.storage, ports_.clock,
            [this](Purpose purpose, std::int64_t ns) { metrics_.turn(rules::name(purpose), ns); }),
        place_(ports_.check_place, ports_.clock, log_),
        storage_(group_writes(timed_, ports_.clock, metrics_, [this] { listener_.notify(); })),
        hot_(make_hot_set(options.cache_bytes - caller_bytes(options))),
        checks_(make_checks(options.check_every)),
        hasher_(pool_hashing(ports_.hasher, ports_.clock)),
        engine_(*storage_, ports_.users, *hasher_, ports_.clock, page_memory()),
        pulse_(*storage_, ports_.clock, ports_.database_timeout),
        callers_(engine_, caller_bytes(options)),
        hub_(engine_, metrics_, ports_.uuid),
        stage_(options.demo ? std::make_unique<live::Stage>(engine_, deliveries_) : nullptr),
        upkeep_({*storage_, ports_.users, *hasher_, ports_.clock, log_, metrics_,
                 ports_.try_consumer_right, [this] { return reading_share(); },
                 [this](const events::DeliveryReport& report) { delivered(report); },
                 [this] { return oldest_reader(); }}),
        app_(api::make_app(app_parts(options))),
        front_(*app_, ports_.clock, front_options(options, ports_)) {
    listener_.set([this] {
      hub_.wake();
      upkeep_.wake();
      if (stage_) stage_->wake();
    });
    measure();
  }

  ~Parts() { listener_.clear(); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  [[nodiscard]] std::uint16_t port() const { return front_.port(); }

  // Starts all threads now, so that none can fail to start later.
  void start() {
    if (started_) return;
    started_ = true;
    upkeep_.prepare();
    hub_.start();
    if (stage_) stage_->start();
    front_.start();
  }

  void run() {
    start();
    tell_start();
    upkeep_.start();
    front_.run();
    hub_.stop();
    if (stage_) stage_->stop();
    log_.write(Severity::kInfo, "stopped");
  }

  void stop() noexcept {
    const bool is_again = stopping_.exchange(true);
    if (is_again && ports_.hurry) ports_.hurry(std::chrono::milliseconds(0));
    front_.stop();
  }

 private:
  [[nodiscard]] std::unique_ptr<hot::HotSet> make_hot_set(std::uint64_t bytes) const {
    if (bytes == 0) return nullptr;
    return std::make_unique<hot::HotSet>(ports_.storage, ports_.clock, bytes, &printer_);
  }

  [[nodiscard]] std::unique_ptr<PageChecks> make_checks(std::uint64_t every) {
    if (every == 0) return nullptr;
    return std::make_unique<PageChecks>(
        PageCheckParts{ports_.storage, hot_.get(), ports_.clock, log_, metrics_}, every);
  }

  [[nodiscard]] feed::PageMemory* page_memory() const {
    if (checks_) return checks_.get();
    return hot_.get();
  }

  void delivered(const events::DeliveryReport& report) {
    deliveries_.note(report);
    if (stage_) stage_->note(report);
  }

  [[nodiscard]] api::AppParts app_parts(const ServiceOptions& options) {
    std::optional<api::Demo> demo;
    if (options.demo) demo.emplace(api::Demo{*stage_, options.demo->who, options.demo->lab});
    return {engine_,
            callers_,
            hub_,
            metrics_,
            log_,
            options.version,
            [this] { return place_.holds() && !stopping_ && storage_->can_write(); },
            [this] { return pulse_.state(); },
            ports_.database_timeout,
            [this](UserNumber viewer, feed::Upkeep what) { upkeep_.after_read(viewer, what); },
            options.host,
            &deliveries_,
            std::move(demo)};
  }

  void tell_start() {
    const http::Descriptors shares = http::descriptors();
    const auto connections = static_cast<std::int64_t>(shares.connections);
    const auto streams = static_cast<std::int64_t>(shares.streams);
    log_.write(
        Severity::kInfo, "serving",
        {{"port", std::int64_t{port()}}, {"connections", connections}, {"streams", streams}});
    if (shares.streams == limits::kStreamsMax) return;
    log_.write(Severity::kWarning,
               "The limit of open files is low, so the server accepts few connections and streams. "
               "Raise it with ulimit -n.",
               {{"connections", connections}, {"streams", streams}});
  }

  // Call from one thread only.
  [[nodiscard]] std::optional<OldReader> oldest_reader() const {
    return ports_.store_use ? ports_.store_use().oldest : std::nullopt;
  }

  [[nodiscard]] double reading_share() {
    if (!hot_) return 1;
    const hot::Use use = hot_->use();
    const std::uint64_t stored = use.from_store - counted_.from_store;
    const std::uint64_t pages = stored + use.from_memory - counted_.from_memory;
    if (pages >= kPagesForShare) {
      counted_ = use;
      reading_share_ = static_cast<double>(stored) / static_cast<double>(pages);
    }
    return reading_share_;
  }

  void measure() {
    measure_front();
    if (hot_) measure_hot_set();
    measure_callers();
    measure_consumers();
    if (ports_.store_use) measure_folder();
    if (ports_.database_use) measure_database();
  }

  void measure_front() {
    const auto lane = [this](const char* name, std::uint64_t http::FrontCounts::*queued) {
      metrics_.gauge("chirp_queue_depth", "Requests that wait for a worker", {{"lane", name}},
                     [this, queued] { return static_cast<double>(front_.counts().*queued); });
    };
    lane("read", &http::FrontCounts::queued_reads);
    lane("write", &http::FrontCounts::queued_writes);
    lane("password", &http::FrontCounts::queued_passwords);
    metrics_.gauge("chirp_connections", "Connections that are open", {},
                   [this] { return static_cast<double>(front_.counts().connections); });
    const auto held = [this](const char* what, std::uint64_t http::FrontCounts::*bytes) {
      metrics_.gauge(
          "chirp_held_bytes", "Memory held for clients that are still sending or receiving",
          {{"what", what}}, [this, bytes] { return static_cast<double>(front_.counts().*bytes); });
    };
    held("bodies", &http::FrontCounts::body_bytes);
    held("answers", &http::FrontCounts::answer_bytes);
    const auto read = [this](const char* how, std::uint64_t http::FrontCounts::*count) {
      metrics_.counted("chirp_quick_reads_total",
                       "Reads that memory may answer, by whether it had everything", {{"how", how}},
                       [this, count] { return static_cast<double>(front_.counts().*count); });
    };
    read("at_once", &http::FrontCounts::at_once);
    read("handed_over", &http::FrontCounts::handed_over);
    const auto dropped = [this](const char* what, std::uint64_t http::FrontCounts::*count) {
      metrics_.counted("chirp_dropped_total", "Dropped or refused because memory was full",
                       {{"what", what}},
                       [this, count] { return static_cast<double>(front_.counts().*count); });
    };
    dropped("bodies", &http::FrontCounts::dropped_bodies);
    dropped("answers", &http::FrontCounts::dropped_answers);
    dropped("connections", &http::FrontCounts::dropped_connections);
    metrics_.counted("chirp_dropped_total", "Dropped or refused because memory was full",
                     {{"what", "log_lines"}},
                     [this] { return static_cast<double>(log_.dropped()); });
  }

  void measure_hot_set() {
    metrics_.gauge("chirp_hot_set_bytes", "Memory that holds feeds", {},
                   [this] { return static_cast<double>(hot_->use().bytes); });
    const auto pages = [this](const char* from, std::uint64_t hot::Use::*count) {
      metrics_.counted("chirp_hot_set_pages_total", "Pages of home feeds, by their source",
                       {{"from", from}},
                       [this, count] { return static_cast<double>(hot_->use().*count); });
    };
    pages("memory", &hot::Use::from_memory);
    pages("store", &hot::Use::from_store);
  }

  void measure_callers() {
    metrics_.gauge("chirp_callers_bytes", "Memory that holds callers, by their tokens", {},
                   [this] { return static_cast<double>(callers_.use().bytes); });
    const auto looks = [this](const char* from, std::uint64_t api::Callers::Use::*count) {
      metrics_.counted("chirp_callers_total", "Lookups of the user of a token, by source",
                       {{"from", from}},
                       [this, count] { return static_cast<double>(callers_.use().*count); });
    };
    looks("memory", &api::Callers::Use::from_memory);
    looks("store", &api::Callers::Use::from_stores);
  }

  void measure_consumers() {
    const auto pending = [this](const char* consumer, Sequence StoreState::*taken) {
      metrics_.gauge("chirp_events_pending", "Events that a consumer has not processed yet",
                     {{"consumer", consumer}}, [this, taken] {
                       const StoreState state = storage_->snapshot()->state();
                       return static_cast<double>(state.log_end.value - (state.*taken).value);
                     });
    };
    metrics_.gauge("chirp_disk_reserve_reached",
                   "1 while the disk reserve is reached: nothing is added, and the consumers pause",
                   {}, [this] { return storage_->refusal(SpaceUse::kAdds) ? 1.0 : 0.0; });
    metrics_.gauge("chirp_writers_waiting", "Requests that wait for the next transaction", {},
                   [this] { return static_cast<double>(storage_->waiting()); });
    pending("fanout", &StoreState::fan_out);
    pending("counters", &StoreState::counters);
    pending("notifications", &StoreState::notifications);
    pending("trends", &StoreState::trends);
    metrics_.gauge("chirp_fanout_queue_posts", "Posts whose deliveries are unfinished", {}, [this] {
      return static_cast<double>(storage_->snapshot()->state().fan_out_queue);
    });
  }

  void measure_folder() {
    const auto use = [this](const char* name, const char* help, double StoreUse::*value) {
      metrics_.gauge(name, help, {}, [this, value] { return ports_.store_use().*value; });
    };
    use("chirp_map_used_bytes", "Bytes of the engine's store", &StoreUse::map_bytes_used);
    use("chirp_map_bytes", "Bytes that the map of the engine's store can hold",
        &StoreUse::map_bytes);
    use("chirp_reader_slots_used", "Most slots for readers that were used at once",
        &StoreUse::readers_used);
    use("chirp_reader_slots", "Slots for readers, for all processes", &StoreUse::readers);
    const auto oldest = [this](const char* name, const char* help, std::int64_t OldReader::*value) {
      metrics_.gauge(name, help, {}, [this, value] {
        return static_cast<double>(ports_.store_use().oldest.value_or(OldReader{}).*value);
      });
    };
    oldest("chirp_oldest_reader_commits", "Commits since the oldest state that a reader uses",
           &OldReader::commits_ago);
    oldest("chirp_oldest_reader_held_bytes", "Bytes that can't be reused because of that reader",
           &OldReader::bytes_held);
  }

  void measure_database() {
    const auto use = [this](double DatabaseLoad::*value) {
      return [this, value] { return ports_.database_use().*value; };
    };
    metrics_.gauge("chirp_database_connections_used", "Connections to the database that are open",
                   {}, use(&DatabaseLoad::connections_used));
    metrics_.gauge("chirp_database_connections",
                   "Largest number of connections that this server opens", {},
                   use(&DatabaseLoad::connections));
    metrics_.counted("chirp_database_round_trips_total", "Statements sent to the database", {},
                     use(&DatabaseLoad::round_trips));
  }

  ServicePorts ports_;
  std::atomic<bool> stopping_{false};
  bool started_ = false;
  Log log_;
  Metrics metrics_;
  CommitListener listener_;
  rules::TimedStorage timed_;
  PlaceChecks place_;
  std::unique_ptr<GroupedStorage> storage_;
  api::FieldPrinter printer_;
  std::unique_ptr<hot::HotSet> hot_;    // null: no hot set
  std::unique_ptr<PageChecks> checks_;  // null: no checks
  hot::Use counted_;                    // the hot set's use when reading_share_ was last computed
  double reading_share_ = 1;
  std::unique_ptr<PasswordHasher> hasher_;
  Engine engine_;
  Pulse pulse_;
  api::Callers callers_;
  live::Hub hub_;
  Deliveries deliveries_{ports_.clock, metrics_};
  std::unique_ptr<live::Stage> stage_;  // null: no stage
  UpkeepThread upkeep_;
  std::unique_ptr<http::App> app_;
  http::Front front_;
};

Service::Service(ServicePorts ports, ServiceOptions options)
    : parts_(std::make_unique<Parts>(std::move(ports), std::move(options))) {}
Service::~Service() = default;

std::uint16_t Service::port() const { return parts_->port(); }
void Service::start() { parts_->start(); }
void Service::run() { parts_->run(); }
void Service::stop() noexcept { parts_->stop(); }

}  // namespace chirp
