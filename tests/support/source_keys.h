// Source ids for random worlds: numbers, and words that look like them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/source_key.h"

namespace chirp::test {

// A different one for each n: a number, or a word for every third n.
[[nodiscard]] inline SourceKey drawn_source(std::uint64_t n) {
  if (n % 3 != 2) return SourceId{n};
  return SourceKey("0" + std::to_string(n));
}
[[nodiscard]] inline std::vector<SourceKey> drawn_sources(std::uint64_t count) {
  std::vector<SourceKey> sources;
  for (std::uint64_t n = 0; n < count; ++n) sources.push_back(drawn_source(n));
  return sources;
}

}  // namespace chirp::test
