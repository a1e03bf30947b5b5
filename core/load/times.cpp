#include "core/load/times.h"

#include <fmt/format.h>

#include "core/model/ids.h"

namespace chirp::load {

std::optional<std::string> time_problem(Time time, Time now) {
  if (time.ms < snowflake::kEpochMs) {
    return fmt::format("the time {} is before 2000", iso8601(time));
  }
  if (time > now) return fmt::format("the time {} is after now", iso8601(time));
  return std::nullopt;
}

}  // namespace chirp::load
