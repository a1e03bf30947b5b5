#include "server/api/rate_limits.h"

#include <algorithm>
#include <chrono>
#include <functional>

#include "server/limits.h"

namespace chirp::api {
namespace {

constexpr std::int64_t kRateWindowNs = limits::kRateWindowMs * 1'000'000;
constexpr std::size_t kCrowds = 64;  // of a shard

}  // namespace

Allowance RateLimits::take(const std::string& client, std::uint64_t limit) {
  return count(client, limit, 1);
}

Allowance RateLimits::look(const std::string& client, std::uint64_t limit) {
  return count(client, limit, 0);
}

Allowance RateLimits::count(const std::string& client, std::uint64_t limit,
                            std::uint64_t requests) {
  const std::size_t hash = std::hash<std::string>{}(client);
  Shard& shard = shards_[hash % kShards];
  const std::lock_guard lock(shard.mutex);
  const std::int64_t now = clock_.steady_ns();
  const std::int64_t window = now / kRateWindowNs;
  if (shard.window != window) {
    shard.window = window;
    shard.counts.clear();
  }
  auto found = shard.counts.find(client);
  if (found == shard.counts.end()) {
    const bool full = shard.counts.size() >= limits::kRateClientsMax / kShards;
    const std::string crowd = "crowd " + std::to_string(hash / kShards % kCrowds);
    found = shard.counts.try_emplace(full ? crowd : client, 0).first;
  }
  std::uint64_t& counted = found->second;
  Allowance allowance;
  allowance.granted = requests == 0 || counted < limit;
  counted = std::min(limit, counted + requests);
  allowance.limit = limit;
  allowance.remaining = limit - counted;
  const std::int64_t left = (window + 1) * kRateWindowNs - now;
  allowance.reset_s =
      std::chrono::ceil<std::chrono::seconds>(std::chrono::nanoseconds(left)).count();
  return allowance;
}

}  // namespace chirp::api
