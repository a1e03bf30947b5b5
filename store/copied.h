// What was copied of a data directory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace chirp::store {

struct Copied {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  // Of a backup: files of uploads that are not there to be copied, and one of them.
  std::uint64_t missing = 0;
  std::filesystem::path first_missing;
  // Of a restore: where the rest is of what stood there, if it could not be removed whole.
  std::optional<std::filesystem::path> left_over;
};

}  // namespace chirp::store
