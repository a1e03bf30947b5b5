// What a load says if an error has ended it.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/error.h"

namespace chirp::cli {

struct StoppedLoad {
  std::string_view rows;  // the word for what was loaded, such as "posts"
  std::uint64_t stored;
  std::uint64_t not_stored;  // rows that it has read and neither stored nor skipped
  bool is_bad_line;          // which --max-errors would skip
};

// Returns the error with what is stored and what to do next.
[[nodiscard]] Error stopped_load(const Error& error, const StoppedLoad& load);

}  // namespace chirp::cli
