// Starts write transactions: bounds their waits for locks, and compares this machine's clock with
// the database's.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/limits.h"
#include "core/model/time.h"
#include "store/postgres/connection/connection.h"

namespace chirp::postgres {

// Queues the start of a transaction with this lock timeout, at least 1 ms. Pass its first result to
// check_clock().
void begin_waiting(Connection& connection,
                   std::chrono::milliseconds patience = std::chrono::milliseconds(limits::kBusyMs));

// Ids contain their creation time, so a writer's clock must match the database's within this bound.
inline constexpr std::int64_t kClockApartMs = 10'000;
// `here` is this machine's time when begin_waiting() was called. Throws Error{kUnavailable} if it
// is kClockApartMs or more from the database's.
void check_clock(const Result& begun, Time here);
[[nodiscard]] Time machine_time();

}  // namespace chirp::postgres
