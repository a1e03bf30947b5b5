// Takes away rows that died so long ago that no snapshot can ask for them. Safe to call from any
// thread.
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

#include "store/postgres/cluster.h"

namespace chirp::postgres {

using SteadyClock = std::function<std::chrono::steady_clock::time_point()>;

// Who reads from one number for long says so: nothing that is seen from there is swept. Of each
// reader there is a row, until a time at which it is renewed or void.
[[nodiscard]] std::string pins_schema();
inline constexpr std::string_view kPin =
    "insert into pins (reader, n, until) values ($1::int8, $2::int8, now() + interval '60 s')"
    " on conflict (reader) do update set until = excluded.until";

class Sweeper {
 public:
  Sweeper(Cluster& cluster, SteadyClock now) : cluster_(cluster), now_(std::move(now)) {}

  // Says that a number is published by now. True if it is time to sweep.
  bool published(std::int64_t number);
  // How many rows went.
  std::uint64_t sweep();
  // The same for a process that does not live long enough to know how old commits are: by the
  // server's clock, and only if nobody else is there who could still read.
  std::uint64_t sweep_alone();

 private:
  using Moment = std::chrono::steady_clock::time_point;

  [[nodiscard]] std::optional<std::int64_t> old_enough();
  std::uint64_t sweep_up_to(std::int64_t old);

  Cluster& cluster_;
  SteadyClock now_;
  std::mutex mutex_;
  std::deque<std::pair<Moment, std::int64_t>> published_;  // one a second at most
  std::optional<Moment> swept_;
};

}  // namespace chirp::postgres
