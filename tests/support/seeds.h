// The seed and the number of rounds of random tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace chirp::test {

inline std::uint64_t number_in_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr || *text == '\0' ? otherwise : std::stoull(text);
}

// CHIRP_SEED, to reproduce a failure or to try other rounds.
inline std::uint64_t first_seed() { return number_in_environment("CHIRP_SEED", 1); }

// The default of CHIRP_WORLDS (tests/shares.cmake.in).
inline constexpr std::uint64_t kWorldsUsual = 1000;

// The rounds of a test with `usual` rounds, scaled by CHIRP_WORLDS relative to its default, because
// rounds cost very different times in different tests. At least one, so that CHIRP_WORLDS=1 with a
// seed reproduces a single round.
inline std::uint64_t worlds_or(std::uint64_t usual) {
  const std::uint64_t asked = number_in_environment("CHIRP_WORLDS", kWorldsUsual);
  return std::max<std::uint64_t>(1, usual * asked / kWorldsUsual);
}

}  // namespace chirp::test
