// What a command leaves to its caller: the exit status.
#pragma once

#include <cstdint>

#include "core/error.h"

namespace chirp::cli {

enum class Status : std::uint8_t {
  kDone = 0,
  kFailed = 1,      // I/O, damage, busy, bad input file; or, for `check` and `verify`, no
  kUsage = 2,       // the command line is wrong, a value included
  kNotFound = 3,    // no such user, post or comment
  kRefused = 4,     // name taken, not allowed, limit
  kUnrepaired = 5,  // `doctor` found what it did not repair; `backup`, files that are missing
};

[[nodiscard]] Status status_of(ErrorCode code);

}  // namespace chirp::cli
