// Puts an export back, row by row, with ids and times.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/engine.h"

namespace chirp::cli {

struct Imported {
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::vector<std::string> settings_left;  // keys that have another value here, which stays
};

// Which settings of an export are loaded: kHarmless is all except `http.*` and `auth.*`.
enum class Settings : std::uint8_t { kHarmless, kAll };

struct ImportOptions {
  Settings settings = Settings::kHarmless;
  std::function<void(std::uint64_t bytes)> watched = {};  // told now and then how much is read
};

// Throws Error{kConflict} if the engine is not empty. Throws Error{kBadInput}, with file and line
// number, if a line is not part of an export or breaks a rule for stored rows. Batches before that
// line stay stored, so a retry needs an empty directory.
Imported import_from(Engine& engine, const std::filesystem::path& from, ImportOptions options);

}  // namespace chirp::cli
