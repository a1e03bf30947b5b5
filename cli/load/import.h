// Puts an export back, row by row, with ids and times.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/engine.h"

namespace chirp::cli {

struct Imported {
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::vector<std::string> settings_left;  // that have another value here, and keep it
};

// Which settings of an export are taken: kHarmless is all but `http.*` and `auth.*`.
enum class Settings : std::uint8_t { kHarmless, kAll };

// Throws Error{kConflict} if the engine holds anything, {kBadInput} with file and line number for
// what is no export, or breaks a rule that stored rows obey; then whole batches before it stay, and
// an empty directory is needed again.
Imported import_from(Engine& engine, const std::filesystem::path& from, Settings settings);

}  // namespace chirp::cli
