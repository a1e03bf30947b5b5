// The begin of a transaction that writes: for how long it waits for others, and whether this
// machine's clock is the database's.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/limits.h"
#include "core/model/time.h"
#include "store/postgres/connection.h"

namespace chirp::postgres {

// Queues the begin of a transaction whose waits for locks end after so long, from 1 ms on. The
// first of its answers is for check_clock().
void begin_waiting(Connection& connection,
                   std::chrono::milliseconds patience = std::chrono::milliseconds(limits::kBusyMs));

// Ids say when they were made, so who makes them has the database's clock, but for so much.
inline constexpr std::int64_t kClockApartMs = 10'000;
// `here`: this machine's when begin_waiting() was called. Throws Error{kUnavailable} for one that
// is kClockApartMs or more from the database's.
void check_clock(const Result& begun, Time here);
[[nodiscard]] Time machine_time();

}  // namespace chirp::postgres
