// Bulk loads of follow edges (core/ports/bulk_edges.h), built in the spare tables of the pairs.
//
// 1. `following`: all edges, merged by follower with the current rows. Edges that are forbidden or
//    already stored are left out; the new ones are staged in both orders.
// 2. `followers`: the new ones by followee, merged with the current rows.
// 3. `counters`: the current rows plus the new edges of each user.
// 4. Rows that other writers changed since the build began are computed again (edge_catch_up.cpp),
//    and the last transaction exchanges the tables.
//
// Each step reads its own snapshot. That is correct because every changed row is noted and computed
// again: a row depends only on the current row and the staged edges, whatever happened before.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/model/policy.h"
#include "core/ports/bulk_edges.h"
#include "store/lmdb/edge_runs.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/lmdb_storage.h"
#include "store/lock_file.h"

namespace chirp::lmdb {

// Whether one of the two has blocked the other.
[[nodiscard]] bool is_severed(const Txn& txn, UserNumber one, UserNumber other);

// Rows in key order, to append to a table.
class RowPiece {
 public:
  void clear() {
    bytes_.clear();
    sizes_.clear();
  }
  void add(Bytes key, Bytes value) {
    bytes_.append(key).append(value);
    sizes_.emplace_back(key.size(), value.size());
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_.size(); }
  void append_to(WriteTxn& txn, Table table) const;

 private:
  std::string bytes_;
  std::vector<std::pair<std::size_t, std::size_t>> sizes_;
};

// The results for a user's staged edges when the row was computed again.
struct Recomputed {
  std::uint64_t following = 0;  // stored
  std::uint64_t followers = 0;
  std::uint64_t duplicates = 0;  // of `following`, like the two below
  std::uint64_t missing = 0;
  std::uint64_t severed = 0;
};

// The changes known since the build began.
struct Changes {
  std::set<std::uint64_t> due;                // rows to compute again: user high, table low
  std::unordered_set<std::uint32_t> removed;  // users whose removal has begun
  std::set<std::uint64_t> blocks;             // edges that a block concerns, in both directions
  std::unordered_map<std::uint32_t, Recomputed> recomputed;
  std::set<UserNumber> counted;  // users with new followers, or whose counters were computed again
};

class EdgeBuild final : public BulkEdges {
 public:
  // `storage` must outlive it.
  EdgeBuild(LmdbStorage& storage, const BulkOptions& options);

  void add(std::span<const std::uint64_t> keys) override { gathered_.add_run(keys); }
  void add(std::span<const TimedEdge> edges) override { gathered_.add_run(edges); }
  void put_aside(std::span<const std::uint64_t> run) override { aside_.add_run(run); }
  void take_aside(const TakeRun& take) override;
  LoadCounts finish(Time now, const Turn& turn) override;
  [[nodiscard]] BulkProgress reach() const override;

 private:
  // bulk_edges.cpp
  [[nodiscard]] store::LockFile lock() const;
  void check_room() const;
  void begin(const Turn& turn);

  // edge_build.cpp
  void build(const Turn& turn);
  void read_users(const Turn& turn);
  void read_blocking(const Turn& turn);
  // Moves past a user's edges, and adds those that the row must get.
  using TakeRow = std::function<void(const Txn& txn, UserNumber user, const std::vector<Edge>& row,
                                     std::vector<Edge>& fresh)>;
  void build_side(const Turn& turn, const TablePair& pair, EdgeMerge& edges, const TakeRow& take,
                  const std::function<void()>& tell);
  void build_following(const Turn& turn);
  void build_followers(const Turn& turn);
  void build_counters(const Turn& turn);
  void write_piece(const Turn& turn, Table spare);
  [[nodiscard]] bool may_follow(const Txn& txn, UserNumber follower, UserNumber followee);
  void stage(std::uint64_t edge, Time since);
  void sort_turned();
  void note_tier(Cursor& marks, std::optional<Item>& mark, UserNumber user, std::int64_t followers,
                 const feed::FeedSettings& settings);
  void reached(BulkPhase phase, std::uint64_t done, std::uint64_t all);

  // edge_catch_up.cpp
  void catch_up(const Turn& turn);
  // Reads up to `limit` notes of kRebuilt and adds them to `changes`.
  std::vector<std::string> read_notes(const Txn& txn, std::size_t limit, Changes& changes) const;
  void take_note(Bytes note, Changes& changes) const;
  void compute(Batch& batch, std::uint64_t due, Changes& changes) const;
  std::uint64_t compute_side(Batch& batch, Table table, UserNumber user, Changes& changes) const;
  void compute_counters(Batch& batch, UserNumber user, Changes& changes) const;
  [[nodiscard]] std::vector<Edge> staged_of(Table table, UserNumber user) const;
  bool exchange(Batch& batch, bool at_any_rate);
  void change_tiers(Batch& batch, const Changes& changes) const;
  [[nodiscard]] LoadCounts counts_with(const Changes& changes) const;

  LmdbStorage& storage_;
  BulkOptions options_;
  Time now_;
  EdgeRuns aside_;        // of numbers without a user
  EdgeRuns gathered_;     // by follower
  EdgeRuns turned_;       // new edges by followee
  EdgeRuns by_follower_;  // new edges, one run
  EdgeRuns by_followee_;
  // Reversed new edges, not yet sorted: all with the same time, or each with its own.
  std::vector<std::uint64_t> turning_;
  std::vector<std::uint64_t> scratch_;
  std::vector<TimedEdge> timed_turning_;
  std::vector<TimedEdge> timed_scratch_;
  std::vector<bool> kept_;      // users by number, at a moment after the build began
  std::vector<bool> blocking_;  // users who have blocked another user
  RowPiece piece_;
  LoadCounts counts_;              // from the first pass
  LoadCounts told_;                // in total
  std::vector<UserNumber> tiers_;  // users whose tier may change
  feed::FeedSettings settings_{};  // the settings that tiers_ is based on
  Changes changes_;
  std::atomic<BulkPhase> phase_{BulkPhase::kGathering};
  std::atomic<double> share_{0};
};

}  // namespace chirp::lmdb
