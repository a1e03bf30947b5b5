// Puts an export back, row by row, with ids and times.
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/engine.h"

namespace chirp::cli {

struct Imported {
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
};

// Throws Error{kConflict} if the engine holds anything, {kBadInput} with file and line number for
// what is no export; then whole batches before it stay, and an empty directory is needed again.
Imported import_from(Engine& engine, const std::filesystem::path& from);

}  // namespace chirp::cli
