// Walks through ranked feeds that are in progress: the source of all pages after the first.
//
// A walk expires kRankedWalkMs after its last page. There are limits on the walks per reader, on
// all walks and on their memory. At a limit the least recently used walk is evicted, the reader's
// own first. Safe to call from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/feed/ranked.h"
#include "core/limits.h"
#include "server/limits.h"

namespace chirp::api {

struct WalkBounds {
  std::size_t walks = limits::kRankedWalksMax;
  std::size_t walks_per_user = limits::kRankedWalksPerUserMax;
  std::size_t bytes = limits::kRankedBytesMax;
};

class RankedWalks {
 public:
  using Snapshot = std::shared_ptr<const feed::RankedSnapshot>;
  using Key = std::uint64_t;  // unique, even across processes

  explicit RankedWalks(WalkBounds bounds = {});

  Key keep(Snapshot snapshot, Time now);
  // Returns null for a walk that expired or belongs to another viewer.
  [[nodiscard]] Snapshot find(Key key, UserNumber viewer, Time now);

  [[nodiscard]] std::size_t walks() const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Walk {
    Key key = 0;
    Snapshot snapshot;
    std::size_t bytes = 0;
    Time used;
  };
  using Walks = std::list<Walk>;  // most recently used first

  void lapse(Time now);
  void make_room(UserNumber viewer, std::size_t bytes);
  void drop(Walks::iterator walk);

  WalkBounds bounds_;
  mutable std::mutex mutex_;
  std::mt19937_64 random_;
  Walks walks_;
  std::unordered_map<Key, Walks::iterator> by_key_;
  std::unordered_map<UserNumber, std::size_t> of_user_;  // number of walks
  std::size_t bytes_ = 0;
};

// The position where a walk continues, as a cursor that never equals a post id.
struct RankedPlace {
  RankedWalks::Key walk = 0;
  std::size_t next = 0;

  bool operator==(const RankedPlace&) const = default;
};
[[nodiscard]] std::string ranked_cursor(const RankedPlace& place);
[[nodiscard]] std::optional<RankedPlace> parse_ranked_cursor(std::string_view cursor);

}  // namespace chirp::api
