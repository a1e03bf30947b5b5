// Where random tests take their seed and their number of rounds from.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace chirp::test {

inline std::uint64_t number_in_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr || *text == '\0' ? otherwise : std::stoull(text);
}

// CHIRP_SEED, to see one failure again or to look elsewhere.
inline std::uint64_t first_seed() { return number_in_environment("CHIRP_SEED", 1); }

// CHIRP_WORLDS, for more rounds or, with a seed, for one alone.
inline std::uint64_t worlds_or(std::uint64_t otherwise) {
  return number_in_environment("CHIRP_WORLDS", otherwise);
}

}  // namespace chirp::test
