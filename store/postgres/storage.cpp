#include "store/postgres/storage.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/pace.h"
#include "core/ports/caller.h"
#include "store/deadline.h"
#include "store/postgres/cluster/connections.h"
#include "store/postgres/cluster/published.h"
#include "store/postgres/cluster/schema.h"
#include "store/postgres/commit/batch.h"
#include "store/postgres/commit/load_pace.h"
#include "store/postgres/commit/sweeping.h"
#include "store/postgres/connection/errors.h"
#include "store/postgres/repair.h"
#include "store/postgres/snapshot/snapshot.h"

namespace chirp::postgres {
namespace {

// Parts without a timeline.
constexpr std::string_view kDropOrphans =
    "delete from timeline_parts p where not exists (select 1 from timelines t"
    " where t.viewer = p.viewer /*and t.b = bucket*/) /*and p.b = bucket*/";

constexpr std::string_view kDecidedMost = "select coalesce(max(n), 0) from commits";

// How long one attempt waits for the turn.
constexpr std::chrono::seconds kFindOutPatience{5};

// Commits between two attempts to sweep by a process that may be alone.
constexpr std::int64_t kSweepAloneEach = 64;

class OnPostgres final : public PostgresStorage {
 public:
  OnPostgres(std::shared_ptr<Connections> connections, Placement layout, std::uint32_t machine,
             StorageOptions options)
      : options_(std::move(options)),
        connections_(std::move(connections)),
        cluster_(std::make_shared<Cluster>(connections_, std::move(layout))),
        copies_(
            std::make_shared<Copies>(connections_->home(), options_.now, options_.copy_patience)),
        remembered_(std::make_shared<Remembered>()),
        published_(*connections_),
        machine_(machine),
        sweeper_(*cluster_, options_.now),
        pace_(options_.edges_at_once, options_.edges_at_most),
        pace_of_several_(options_.edges_at_once, options_.edges_at_once,
                         std::max(options_.edges_at_once, options_.edges_at_most)) {}

  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override {
    return std::make_unique<PostgresSnapshot>(Reading(cluster_, copies_), remembered_, options_.now,
                                              options_.without);
  }
  [[nodiscard]] std::uint64_t version() const override { return newest().store; }
  bool decide(Time now, Purpose purpose, const Decision& decision) override;
  std::uint64_t repair_indexes(Time now) override;
  std::uint64_t sweep() override { return sweeper_.sweep(); }
  [[nodiscard]] std::uint64_t round_trips() const override {
    return cluster_->round_trips() + copies_->round_trips();
  }
  [[nodiscard]] std::vector<CopyUse> copies() const override { return copies_->uses(); }
  std::vector<std::string> mark(const std::string& name) override;
  [[nodiscard]] std::vector<store::WorkerStatus> workers() const override;
  [[nodiscard]] std::vector<std::string> losses() const override { return cluster_->losses(); }
  [[nodiscard]] Versions newest() const override { return published_.newest(); }

 private:
  bool decide_once(Time now, Purpose purpose, const Decision& decision);
  void sweep_behind(std::int64_t number) noexcept;
  void find_out(std::int64_t number, std::int64_t writer, const PostgresError& lost);
  enum class Manners : std::uint8_t { kTakesAll, kGivesWay };
  [[nodiscard]] std::unique_ptr<WriteTurn> take_turn(Connection& home,
                                                     std::chrono::milliseconds patience,
                                                     Manners manners = Manners::kTakesAll) {
    TurnOptions options{.patience = patience, .without = options_.without, .clock = options_.clock};
    if (options_.at_step) options.at_step = options_.at_step;
    if (manners == Manners::kGivesWay) options.is_waited_for = [this] { return waiting_ != 0; };
    return postgres::take_turn(*cluster_, home, std::move(options));
  }

  StorageOptions options_;
  std::shared_ptr<Connections> connections_;
  std::shared_ptr<Cluster> cluster_;
  std::shared_ptr<Copies> copies_;
  std::shared_ptr<Remembered> remembered_;
  mutable PublishedState published_;
  std::uint32_t machine_;
  Sweeper sweeper_;
  std::timed_mutex turn_;        // serializes this process's writers: one connection waits for all
  std::atomic<int> waiting_{0};  // threads that wait for turn_
  LoadPace pace_;                // used while holding turn_
  Pace pace_of_several_;
};

}  // namespace

bool OnPostgres::decide(Time now, Purpose purpose, const Decision& decision) {
  for (;;) {
    try {
      return decide_once(now, purpose, decision);
    } catch (const GaveWay&) {
      // The waiting writer gets the next turn.
    }
  }
}

bool OnPostgres::decide_once(Time now, Purpose purpose, const Decision& decision) {
  const std::chrono::milliseconds patience(is_patient(purpose) ? limits::kBusyMs
                                                               : limits::kStarveMs);
  const Patience* const waits = connections_->address().waits.get();
  std::optional<CallerDeadline> bound;
  if (purpose == Purpose::kChange && waits != nullptr && waits->bounds_changes()) {
    bound.emplace(waits->deadline());
  }
  const store::Deadline deadline(store::machine_clock(), patience);
  std::unique_lock turn(turn_, std::defer_lock);
  ++waiting_;
  const bool is_mine = turn.try_lock_for(left_of(patience));
  --waiting_;
  if (!is_mine) {
    throw Error(ErrorCode::kUnavailable,
                "The database is busy: this process has been writing for too long. Try again.");
  }
  const auto step = [&](Step reached) {
    if (options_.at_step) options_.at_step(reached);
  };
  // A new writer number for each attempt, so that find_out() can identify its commit.
  const std::int64_t writer = fresh_number();
  std::int64_t number = 0;
  std::optional<PostgresError> lost;
  const bool gives_way = purpose == Purpose::kLoad && cluster_->is_one() && pace_.gives_way();
  const std::size_t edges = cluster_->is_one() ? pace_.edges() : pace_of_several_.rows();
  std::size_t edges_taken = 0;
  std::int64_t begun_ns = 0;
  try {
    const auto connection = connections_->lend();
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline.left());
    const auto turn_of_all =
        take_turn(*connection, left, gives_way ? Manners::kGivesWay : Manners::kTakesAll);
    begun_ns = store::machine_clock().steady_ns();
    step(Step::kLocked);
    number = turn_of_all->number();
    Batch batch(*turn_of_all, cluster_->placing());
    far::Overlay overlay(turn_of_all->state(), {now, machine_}, edges);
    const bool changed =
        far::settle(overlay, decision, [&](const far::MissingRows& lacked, far::Known& known) {
          batch.fetch(lacked, known);
          step(Step::kFetched);
        });
    if (!changed) return false;
    try {
      batch.commit(overlay, writer);
    } catch (const PostgresError& error) {
      // With several servers, the commit may be decided, and so final, when a later step fails.
      if (error.code() != ErrorCode::kUnavailable && cluster_->is_one()) throw;
      lost = error;
    }
    edges_taken = overlay.edges_taken();
  } catch (const GaveWay&) {
    pace_.gave_way();
    throw;
  }
  if (edges_taken != 0) {
    const std::int64_t took_ns = store::machine_clock().steady_ns() - begun_ns;
    if (edges_taken == edges) pace_.committed(took_ns);
    pace_of_several_.note(edges_taken, took_ns);
  }
  if (lost) find_out(number, writer, *lost);
  connections_->home().saw({number, writer});
  connections_->note_change();
  step(Step::kCommitted);
  sweep_behind(number);
  return true;
}

// In the turn, every decided commit is published, so the points are between two commits.
std::vector<std::string> OnPostgres::mark(const std::string& name) {
  const std::lock_guard turn(turn_);
  const auto home = connections_->lend();
  const auto turn_of_all = take_turn(*home, std::chrono::milliseconds(limits::kBusyMs));
  return cluster_->mark(*home, name);
}

std::vector<store::WorkerStatus> OnPostgres::workers() const {
  if (cluster_->is_one()) return {};
  auto workers = cluster_->look_at_workers(newest_in(connections_->lend()->run(kNewest)).touched);
  // Read last: all commits that the workers have reported are decided by now.
  const auto decided =
      static_cast<std::uint64_t>(connections_->lend()->run(kDecidedMost).number(0, 0));
  for (store::WorkerStatus& worker : workers) {
    if (worker.reached <= decided) continue;
    worker.trouble = fmt::format(
        "it has commits up to {}, and home has them up to {}: home was put back to an older state",
        worker.reached, decided);
  }
  return workers;
}

// The change is committed even if sweeping fails; the next sweep deletes the rest.
void OnPostgres::sweep_behind(std::int64_t number) noexcept {
  try {
    if (sweeper_.published(number)) {
      sweeper_.sweep();
    } else if (number % kSweepAloneEach == 0) {
      sweeper_.sweep_alone();
    }
  } catch (...) {
    return;
  }
}

std::uint64_t OnPostgres::repair_indexes(Time now) {
  const std::uint64_t mended = repair_rows(*this, now);
  const std::lock_guard turn(turn_);
  for (const Group group : cluster_->placing().all()) {
    const GroupQuery drop{std::string(kDropOrphans), {}, group};
    (void)cluster_->ask({&drop, 1});
  }
  const auto connection = connections_->lend();
  const auto turn_of_all = take_turn(*connection, std::chrono::milliseconds(limits::kBusyMs));
  if (!Batch(*turn_of_all, cluster_->placing()).recount_follows(fresh_number())) return mended;
  connections_->note_change();
  return mended + 1;
}

// Finds the outcome of a commit that lost its connection. Taking the turn guarantees that the lost
// session has ended and that a decided commit is finished.
void OnPostgres::find_out(std::int64_t number, std::int64_t writer, const PostgresError& lost) {
  const store::Deadline deadline(store::machine_clock(),
                                 std::chrono::milliseconds(limits::kBusyMs));
  // Empty while the server can't be queried.
  const auto came_through = [&]() -> std::optional<bool> {
    try {
      const auto connection = connections_->lend();
      const auto turn_of_all = take_turn(*connection, kFindOutPatience);
      return writer_of(*turn_of_all, number) == writer;
    } catch (const Error&) {
      return std::nullopt;
    }
  };
  do {
    if (const auto known = came_through()) {
      if (*known) return;
      throw outcome_nothing(lost);
    }
    if (is_caller_late()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  } while (!deadline.over());
  throw outcome_unknown(lost);
}

std::shared_ptr<Patience> waits_of(const store::DatabaseOptions& options) {
  if (options.timeout.count() == 0) return nullptr;
  return std::make_shared<Patience>(options.timeout, options.is_interrupted);
}

// All queries are by key, and an index finds each key. The other plans are turned off, because
// plans are cached per connection: one made while a table was small, empty or not analyzed would
// scan the whole table ever after.
Address storage_address(std::string url, const store::DatabaseOptions& options) {
  return {.url = std::move(url),
          .settings =
              "set jit = off; set plan_cache_mode = force_generic_plan; set enable_seqscan = off;"
              " set enable_bitmapscan = off; set enable_material = off; set enable_hashjoin = off;"
              " set enable_mergejoin = off; set max_parallel_workers_per_gather = 0",
          .waits = waits_of(options),
          .may_lose = options.may_lose};
}

std::unique_ptr<PostgresStorage> open_storage(const std::string& url, StorageOptions options) {
  auto connections = std::make_shared<Connections>(storage_address(url, options.database));
  const Identity identity = identity_of(*connections->lend());
  return open_storage(std::move(connections), identity, std::move(options));
}

std::unique_ptr<PostgresStorage> open_storage(std::shared_ptr<Connections> connections,
                                              const Identity& identity, StorageOptions options) {
  Placement layout = layout_of(*connections, identity.layout);
  return std::make_unique<OnPostgres>(std::move(connections), std::move(layout), identity.machine,
                                      std::move(options));
}

}  // namespace chirp::postgres
