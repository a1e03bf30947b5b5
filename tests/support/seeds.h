// Where random tests take their seed and their number of rounds from.
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

// CHIRP_SEED, to see one failure again or to look elsewhere.
inline std::uint64_t first_seed() { return number_in_environment("CHIRP_SEED", 1); }

// What CHIRP_WORLDS is when nothing is said (tests/shares.cmake.in).
inline constexpr std::uint64_t kWorldsUsual = 1000;

// The rounds of a test that has `usual` of them: in proportion more or fewer if CHIRP_WORLDS asks
// for other than the usual number, since a world of one test costs a hundred of another's; at least
// one, so that CHIRP_WORLDS=1 with a seed shows one alone.
inline std::uint64_t worlds_or(std::uint64_t usual) {
  const std::uint64_t asked = number_in_environment("CHIRP_WORLDS", kWorldsUsual);
  return std::max<std::uint64_t>(1, usual * asked / kWorldsUsual);
}

}  // namespace chirp::test
