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

// An edge as a number, the follower's above and the followee's below (32 bits each).
struct TimedEdge {
  std::uint64_t key;
  Time since;
};

struct BulkOptions {
  std::optional<Time> since{};  // of all new follows; none if each has a time of its own
  std::size_t memory = std::size_t{64} << 20;         // bytes of sorted edges that need no file
  std::size_t piece = std::size_t{6} << 20;           // bytes of rows written in one transaction
  std::size_t sorted_at_once = std::size_t{4} << 20;  // edges that are sorted in memory
  std::size_t changes_at_end = 1'000;                 // rows left for the last transaction, about
  // Called now and then while another bulk load is under way, with who does it. What it throws ends
  // the load.
  std::function<void(std::string_view who)> wait{};
};

enum class BulkPhase : std::uint8_t { kGathering, kFollowing, kFollowers, kCounts, kChanges };

struct BulkReach {
  BulkPhase phase = BulkPhase::kGathering;
  double share = 0;  // of the phase, 0 to 1
};

// Use it from one thread. Any thread may call reach().
class BulkEdges {
 public:
  virtual ~BulkEdges() = default;

  // Runs a write transaction and gives way to other writers after it. It is also called with
  // transactions that only read, so that a load can be ended: what it throws ends the load.
  using Turn = std::function<void(const std::function<void()>& transaction)>;

  // `keys` are edges, the follower's number in the upper half and the followee's in the lower half;
  // ascending, each once, none to oneself. Throws Error{kStorageFull}, {kIo}.
  virtual void add(std::span<const std::uint64_t> keys) = 0;
  // The same for edges with times of their own.
  virtual void add(std::span<const TimedEdge> edges) = 0;

  // Keeps a run of pairs of numbers, ascending and each once, for a caller who does not know yet
  // which users they stand for. Throws as add().
  virtual void put_aside(std::span<const std::uint64_t> run) = 0;
  // Hands out these runs in the order they came, and forgets them. `take` may call add().
  using TakeRun = std::function<void(std::span<const std::uint64_t> run)>;
  virtual void take_aside(const TakeRun& take) = 0;

  // Stores all edges that may be, with one load.batch event; call it once, last. What is told apart
  // is as in rules::load_edges(). Until the last transaction nobody sees anything of it, and if
  // this throws nobody ever does.
  virtual LoadCounts finish(Time now, const Turn& turn) = 0;

  // From any thread.
  [[nodiscard]] virtual BulkReach reach() const = 0;
};

}  // namespace chirp
