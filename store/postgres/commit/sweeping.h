// Deletes rows that died so long ago that no snapshot can read them. Safe to call from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "store/postgres/cluster/cluster.h"

namespace chirp::postgres {

using SteadyClock = std::function<std::chrono::steady_clock::time_point()>;

// Pins: a long reader stores its number, and nothing visible from there is swept. Each reader has
// one row, with an expiry time that it renews.
inline constexpr std::string_view kPin =
    "insert into pins (reader, n, until) values ($1::int8, $2::int8, now() + interval '60 s')"
    " on conflict (reader) do update set until = excluded.until";

class Sweeper {
 public:
  Sweeper(Cluster& cluster, SteadyClock now) : cluster_(cluster), now_(std::move(now)) {}

  // Records that a number is published. Returns true if a sweep is due.
  bool published(std::int64_t number);
  // Returns the number of rows deleted.
  std::uint64_t sweep();
  // For a process that is too short-lived to know the age of commits: uses the server's clock, and
  // sweeps only if no other session or standby could still read.
  std::uint64_t sweep_alone();

 private:
  using Moment = std::chrono::steady_clock::time_point;

  [[nodiscard]] std::optional<std::int64_t> old_enough();
  std::uint64_t sweep_up_to(std::int64_t old);

  Cluster& cluster_;
  SteadyClock now_;
  std::mutex mutex_;
  std::deque<std::pair<Moment, std::int64_t>> published_;  // one per second at most
  std::optional<Moment> swept_;
};

}  // namespace chirp::postgres
