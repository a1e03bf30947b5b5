// The exit status of a command.
#pragma once

#include <cstdint>

#include "core/error.h"

namespace chirp::cli {

enum class Status : std::uint8_t {
  kDone = 0,
  kFailed = 1,      // I/O, damage, busy, bad input file; `check` and `verify`: the answer is no
  kUsage = 2,       // the command line is wrong, including values
  kNotFound = 3,    // no such user, post or comment
  kRefused = 4,     // name taken, not allowed, limit
  kUnrepaired = 5,  // `doctor` left a problem unrepaired; `backup` found files missing
};

[[nodiscard]] Status status_of(ErrorCode code);

}  // namespace chirp::cli
