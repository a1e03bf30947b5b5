#include "server/api/rate_limits.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "server/limits.h"

namespace chirp::api {
namespace {

constexpr std::int64_t kRateWindowNs = limits::kRateWindowMs * 1'000'000;
constexpr std::size_t kRowCells = 256 << 10;  // per row of a shard: 8 MiB in all
constexpr std::uint8_t kCellMax = std::numeric_limits<std::uint8_t>::max();
// The most clients of a shard whose counts no longer fit their cells. Filling this room takes more
// requests per minute than a server answers.
constexpr std::size_t kOutgrownMax = 2'048;

}  // namespace

Allowance RateLimits::take(const std::string& client, std::uint64_t limit) {
  return count(client, limit, true);
}

Allowance RateLimits::look(const std::string& client, std::uint64_t limit) {
  return count(client, limit, false);
}

Allowance RateLimits::count(const std::string& client, std::uint64_t limit, bool is_request) {
  const std::uint64_t digest = digest_.of('r', client);
  Shard& shard = shards_[digest % kShards];
  const std::lock_guard lock(shard.mutex);
  const std::int64_t now = clock_.steady_ns();
  const std::int64_t window = now / kRateWindowNs;
  if (shard.window != window) {
    shard.window = window;
    shard.counts.clear();
    shard.cells = {};
  }
  const Verdict verdict =
      is_request ? request(shard, digest / kShards, limit) : known(shard, digest / kShards);
  Allowance allowance;
  allowance.granted = verdict.granted;
  allowance.limit = limit;
  allowance.remaining = limit - std::min(limit, verdict.counted);
  const std::int64_t left = (window + 1) * kRateWindowNs - now;
  allowance.reset_s =
      std::chrono::ceil<std::chrono::seconds>(std::chrono::nanoseconds(left)).count();
  return allowance;
}

RateLimits::Place RateLimits::place_of(Shard& shard, std::uint64_t digest) {
  const auto found = shard.counts.find(digest);
  if (found != shard.counts.end()) return {&found->second, {}};
  if (shard.cells.empty()) return {};
  std::uint8_t* const first = &shard.cells[digest % kRowCells];
  std::uint8_t* const second = &shard.cells[kRowCells + digest / kRowCells % kRowCells];
  return {nullptr, {first, second}};
}

RateLimits::Verdict RateLimits::known(Shard& shard, std::uint64_t digest) {
  const Place place = place_of(shard, digest);
  if (place.own != nullptr) return {place.own->requests};
  return {shard.cells.empty() ? std::uint8_t{0} : std::min(*place.cells[0], *place.cells[1])};
}

RateLimits::Verdict RateLimits::request(Shard& shard, std::uint64_t digest, std::uint64_t limit) {
  Place place = place_of(shard, digest);
  if (place.own == nullptr && shard.counts.size() < limits::kRateClientsMax / kShards) {
    place.own = &shard.counts[digest];
  }
  if (place.own != nullptr) {
    Count& own = *place.own;
    const bool granted = own.requests < (own.may_be_less ? 2 * limit : limit);
    if (granted) ++own.requests;
    return {own.requests, granted};
  }
  if (shard.cells.empty()) {
    shard.cells.resize(2 * kRowCells);
    place = place_of(shard, digest);
  }
  const std::uint8_t before = std::min(*place.cells[0], *place.cells[1]);
  if (before >= 2 * limit || before == kCellMax) return {before, false};
  const auto counted = static_cast<std::uint8_t>(before + 1);
  // The larger cell counts other clients too, so it need not increase.
  for (std::uint8_t* const cell : place.cells) *cell = std::max(*cell, counted);
  if (counted == kCellMax) take_out(shard, digest, counted);
  return {counted, true};
}

void RateLimits::take_out(Shard& shard, std::uint64_t digest, std::uint32_t counted) {
  if (shard.counts.size() >= limits::kRateClientsMax / kShards + kOutgrownMax) return;
  shard.counts.emplace(digest, Count{counted, true});
}

}  // namespace chirp::api
