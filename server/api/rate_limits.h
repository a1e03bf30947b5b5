// Counts each client's requests in the current minute.
//
// Windows are fixed and the same for all clients, so a new window clears all counts at once.
//
// Memory is bounded. The first limits::kRateClientsMax clients of a window are counted exactly.
// Later clients share counters. Each has two, and its count is the smaller one, which is never too
// low and rarely much too high. Because it may be too high, such a client is refused only at twice
// its limit. So a flood of addresses neither shuts out newcomers nor disables the limit. A secret
// of the process decides which counters a client has. Safe to call from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ports/clock.h"
#include "server/sip_hash.h"

namespace chirp::api {

struct Allowance {
  std::uint64_t limit = 0;      // requests in a window
  std::uint64_t remaining = 0;  // left in this one
  std::int64_t reset_s = 0;     // until the next one: at least 1
  bool granted = true;          // to this request
};

class RateLimits {
 public:
  explicit RateLimits(const Clock& clock) : clock_(clock) {}

  // Counts a request of this client.
  Allowance take(const std::string& client, std::uint64_t limit);
  // Returns the allowance without counting a request.
  [[nodiscard]] Allowance look(const std::string& client, std::uint64_t limit);

 private:
  static constexpr std::size_t kShards = 16;
  struct Count {
    std::uint32_t requests = 0;
    bool may_be_less = false;  // it was counted in shared counters before
  };
  struct Shard {
    std::mutex mutex;
    std::int64_t window = -1;
    std::unordered_map<std::uint64_t, Count> counts;  // by client digest
    // Two rows of shared counters, for clients that found `counts` full. Empty until one does.
    std::vector<std::uint8_t> cells;
  };
  // How a client is counted: only in `counts`, or in one cell of each row.
  struct Place {
    Count* own = nullptr;
    std::array<std::uint8_t*, 2> cells{};
  };
  struct Verdict {
    std::uint64_t counted = 0;
    bool granted = true;
  };

  Allowance count(const std::string& client, std::uint64_t limit, bool is_request);
  [[nodiscard]] static Verdict known(Shard& shard, std::uint64_t digest);
  [[nodiscard]] static Verdict request(Shard& shard, std::uint64_t digest, std::uint64_t limit);
  [[nodiscard]] static Place place_of(Shard& shard, std::uint64_t digest);
  static void take_out(Shard& shard, std::uint64_t digest, std::uint32_t counted);

  const Clock& clock_;
  const KeyedDigest digest_;
  std::array<Shard, kShards> shards_;
};

}  // namespace chirp::api
