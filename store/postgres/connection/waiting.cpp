#include "store/postgres/connection/waiting.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "core/error.h"
#include "store/deadline.h"

namespace chirp::postgres {

void begin_waiting(Connection& connection, std::chrono::milliseconds patience) {
  if (const Patience* const waits = connection.waits())
    patience = std::min(patience, waits->timeout());
  // The lock timeout's error must arrive before the caller's deadline.
  patience = std::min(patience, left_of(patience * 10 / 9) * 9 / 10);
  connection.begin();
  connection.send(
      "select set_config('lock_timeout', $1::text, true),"
      " (extract(epoch from clock_timestamp()) * 1000)::int8",
      Params().text(fmt::format("{}ms", std::max<std::int64_t>(patience.count(), 1))));
}

Time machine_time() { return store::machine_clock().now(); }

void check_clock(const Result& begun, Time here) {
  const std::int64_t apart = here.ms - begun.number(0, 1);
  if (std::abs(apart) < kClockApartMs) return;
  throw Error(ErrorCode::kUnavailable,
              fmt::format("The clock of this machine is {} s {} that of the database, and ids are "
                          "made by it, so nothing is written. Set both by one time server, and try "
                          "again.",
                          std::abs(apart) / kSecondMs, apart > 0 ? "ahead of" : "behind"));
}

}  // namespace chirp::postgres
