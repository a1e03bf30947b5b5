// Bulk loads of edges: when they pay, their beginning and their end.
#include "core/ports/bulk_edges.h"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "core/error.h"
#include "store/disk_reserve.h"
#include "store/layout.h"
#include "store/lmdb/edge_build.h"
#include "store/lmdb/lmdb_storage.h"
#include "store/lmdb/page_budget.h"
#include "store/lmdb/spare_rows.h"
#include "store/scratch_file.h"

namespace chirp::lmdb {
namespace {

// Fewer edges fit about one transaction, and nothing is faster than that.
constexpr std::uint64_t kBulkFrom = std::uint64_t{1} << 17;
// Bytes written per edge: both rows, and the sorted runs.
constexpr std::uint64_t kBulkEdgeBytes = 28;
// For edges with their own times.
constexpr std::uint64_t kTimedEdgeBytes = 60;
constexpr std::uint64_t kRowEdgeBytes = 7;  // in one direction, including free space in pages
constexpr std::uint64_t kPageBytes = 4096;
constexpr auto kAskForLock = std::chrono::milliseconds(100);

}  // namespace

std::unique_ptr<BulkEdges> LmdbStorage::bulk_edges(const BulkOptions& options) {
  if (env_->read_only()) return nullptr;
  return std::make_unique<EdgeBuild>(*this, options);
}

bool LmdbStorage::bulk_pays(std::span<const LoadedEdge> some, std::uint64_t all) const {
  if (env_->read_only() || some.empty() || all < kBulkFrom) return false;
  const Env::Reader reader(env_);
  std::uint64_t in_use = 0;
  for (const TablePair& pair : kPairs) in_use += reader.txn().stat(pair.in_use).ms_leaf_pages;
  const std::uint64_t fresh = in_use + all * kBulkEdgeBytes / kPageBytes;
  const std::uint64_t written =
      pages_written(reader.txn(), some, kBulkFrom, all * kRowEdgeBytes / kPageBytes);
  return written * (all / some.size()) > fresh;
}

std::unique_ptr<Scratch> LmdbStorage::scratch(std::string_view doing, std::size_t memory) {
  if (env_->read_only()) return nullptr;
  return std::make_unique<store::ScratchFile>(store::Layout(env_->place()).loading(),
                                              std::string(doing), memory);
}

// Only one bulk load runs at a time; the lock's file has its process number.
store::LockFile EdgeBuild::lock() const {
  const auto path = store::Layout(storage_.env_->place()).load_lock();
  for (;;) {
    if (auto lock = try_load_lock(storage_.env_->place())) return std::move(*lock);
    if (options_.wait) {
      std::string who = store::read_small_file(path, 64);
      while (!who.empty() && who.back() == '\n') who.pop_back();
      options_.wait(who);
    }
    std::this_thread::sleep_for(kAskForLock);
  }
}

// The new and the current tables exist at the same time for a while.
void EdgeBuild::check_room() const {
  std::uint64_t needed = gathered_.edges() * (options_.since ? kBulkEdgeBytes : kTimedEdgeBytes);
  {
    const Env::Reader reader(storage_.env_);
    for (const TablePair& pair : kPairs) {
      const MDB_stat table = reader.txn().stat(pair.in_use);
      needed += (table.ms_leaf_pages + table.ms_branch_pages) * kPageBytes;
    }
  }
  store::check_room_for("A bulk load (--bulk never needs less)", storage_.env_->place(), needed,
                        store::reserve_from_environment(), SpaceUse::kAdds,
                        "No follow was stored; users that the load has made stay. Free some space, "
                        "and load it again.");
}

void EdgeBuild::take_aside(const TakeRun& take) {
  std::vector<std::uint64_t> run;
  for (std::size_t i = 0; i < aside_.runs(); ++i) {
    run.clear();
    for (EdgeRuns::Cursor cursor(aside_, i); !cursor.done(); cursor.next()) {
      run.push_back(cursor.edge());
    }
    take(run);
  }
  aside_.clear();
}

LoadCounts EdgeBuild::finish(Time now, const Turn& turn) {
  if (gathered_.edges() == 0) return {};
  now_ = now;
  const store::LockFile alone = lock();
  begin(turn);
  try {
    build(turn);
  } catch (...) {
    try {
      storage_.end_build();
      storage_.empty_spare();
    } catch (const Error&) {
      // The next program that writes does it.
    }
    throw;
  }
  try {
    storage_.empty_spare();
  } catch (const Error&) {
    // The load itself is complete.
  }
  return told_;
}

// First removes what a dead build left.
void EdgeBuild::begin(const Turn& turn) {
  storage_.end_build();
  storage_.empty_spare();
  check_room();
  turn([&] {
    storage_.run(now_, Purpose::kLoad, [](Batch& batch) {
      check(!batch.state.pairs.built && !batch.state.pairs.stale, "the spare tables are free");
      if (spare_rows(batch.txn) != 0) {
        throw Error(ErrorCode::kCorrupt,
                    "The spare tables of edges hold rows. Run `chirp doctor --repair`.");
      }
      batch.state.pairs.built = true;
      return LmdbStorage::Verdict::kCommit;
    });
  });
}

}  // namespace chirp::lmdb
