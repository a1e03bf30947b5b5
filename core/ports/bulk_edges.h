// A bulk load of follow edges: sorted edges are gathered outside the store, and then all of them
// become visible in one commit. The store builds new tables in the order of their keys, which
// writes each page once, however the edges are spread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "core/ports/loads.h"

namespace chirp {

// An edge as one number: the follower in the upper 32 bits, the followee in the lower.
struct TimedEdge {
  std::uint64_t key;
  Time since;
};

struct BulkOptions {
  std::optional<Time> since{};  // for all new follows; empty if each has its own time
  std::size_t memory = std::size_t{64} << 20;         // bytes of sorted edges that need no file
  std::size_t piece = std::size_t{6} << 20;           // bytes of rows written in one transaction
  std::size_t sorted_at_once = std::size_t{4} << 20;  // edges that are sorted in memory
  std::size_t changes_at_end = 1'000;                 // rows left for the last transaction, about
  // Called now and then while another bulk load is running, with its name. If it throws, the load
  // ends.
  std::function<void(std::string_view who)> wait{};
};

enum class BulkPhase : std::uint8_t { kGathering, kFollowing, kFollowers, kCounts, kChanges };

struct BulkProgress {
  BulkPhase phase = BulkPhase::kGathering;
  double share = 0;  // progress of the phase, 0 to 1
};

// Use it from one thread, except reach().
class BulkEdges {
 public:
  virtual ~BulkEdges() = default;

  // Runs a write transaction, then gives way to other writers. It is also called with read-only
  // transactions, so that a load can be ended. If it throws, the load ends.
  using Turn = std::function<void(const std::function<void()>& transaction)>;

  // Adds edges: the follower's number in the upper half of a key, the followee's in the lower half.
  // Ascending, unique, no user with themselves. Throws Error{kStorageFull}, {kIo}.
  virtual void add(std::span<const std::uint64_t> keys) = 0;
  // The same for edges that have their own times.
  virtual void add(std::span<const TimedEdge> edges) = 0;

  // Keeps a run of pairs of numbers, ascending and unique, for a caller who does not know yet which
  // users they mean. Throws as add().
  virtual void put_aside(std::span<const std::uint64_t> run) = 0;
  // Hands out these runs in the order of put_aside(), and forgets them. `take` may call add().
  using TakeRun = std::function<void(std::span<const std::uint64_t> run)>;
  virtual void take_aside(const TakeRun& take) = 0;

  // Stores all valid edges with one load.batch event; call it once, last. The counts are those of
  // rules::load_edges(). Readers see nothing before the last transaction, and nothing at all if
  // this throws.
  virtual LoadCounts finish(Time now, const Turn& turn) = 0;

  // Safe from any thread.
  [[nodiscard]] virtual BulkProgress reach() const = 0;
};

}  // namespace chirp
