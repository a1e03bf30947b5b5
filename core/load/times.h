// Times that a load may bring.
#pragma once

#include <optional>
#include <string>

#include "core/model/time.h"

namespace chirp::load {

// What is wrong with a time of writing, if something is: it is before 2000 or after now.
[[nodiscard]] std::optional<std::string> time_problem(Time time, Time now);

}  // namespace chirp::load
