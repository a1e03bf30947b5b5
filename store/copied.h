// The result of copying a data directory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace chirp::store {

struct Copied {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  // For a backup: the number of uploads without a file, and one of them.
  std::uint64_t missing = 0;
  std::filesystem::path first_missing;
  // For a restore: the remains of the previous data, if they could not be removed completely.
  std::optional<std::filesystem::path> left_over;
};

}  // namespace chirp::store
