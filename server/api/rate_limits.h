// How many requests each client has made in the present minute.
//
// Windows are fixed and the same for everybody, so that a new one forgets all of the last at once.
// Memory is bounded: past limits::kRateClientsMax clients in a window, those who come next are
// counted in crowds, which share what one may do. Safe to call from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/ports/clock.h"

namespace chirp::api {

struct Allowance {
  std::uint64_t limit = 0;      // requests in a window
  std::uint64_t remaining = 0;  // left in this one
  std::int64_t reset_s = 0;     // until the next one: at least 1
  bool granted = true;          // to the request that asked
};

class RateLimits {
 public:
  explicit RateLimits(const Clock& clock) : clock_(clock) {}

  // Counts a request of this client.
  Allowance take(const std::string& client, std::uint64_t limit);
  // Counts none.
  [[nodiscard]] Allowance look(const std::string& client, std::uint64_t limit);

 private:
  static constexpr std::size_t kShards = 16;
  struct Shard {
    std::mutex mutex;
    std::int64_t window = -1;
    std::unordered_map<std::string, std::uint64_t> counts;
  };
  Allowance count(const std::string& client, std::uint64_t limit, std::uint64_t requests);

  const Clock& clock_;
  std::array<Shard, kShards> shards_;
};

}  // namespace chirp::api
