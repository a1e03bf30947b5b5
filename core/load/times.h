// Times that a load accepts.
#pragma once

#include <optional>
#include <string>

#include "core/model/time.h"

namespace chirp::load {

// Returns what is wrong with a time of writing, if anything: it is before 2000 or after now.
[[nodiscard]] std::optional<std::string> time_problem(Time time, Time now);

}  // namespace chirp::load
