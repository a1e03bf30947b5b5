#include "core/model/ids.h"

#include "core/error.h"

namespace chirp::snowflake {

std::uint64_t next(Time now, std::uint64_t last, std::uint32_t machine) {
  const std::uint64_t at = ticks_of(now) > ticks(last) ? ticks_of(now) : ticks(last);
  std::uint64_t id = make(at, machine, 0);
  if (id <= last) id = last + 1;
  // `last` may have another machine's number (a restored export), or be the last of its
  // millisecond.
  if (snowflake::machine(id) != machine) {
    id = make(snowflake::machine(id) < machine ? ticks(id) : ticks(id) + 1, machine, 0);
  }
  if (ticks(id) > kMaxTicks || ticks_of(now) == kMaxTicks) {
    throw Error(
        ErrorCode::kUnavailable,
        "The id space is exhausted: the clock is at or after 2069-09-06. Set the clock right.");
  }
  return id;
}

}  // namespace chirp::snowflake
