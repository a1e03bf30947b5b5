// Loads an export, row by row, with ids and times.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine.h"
#include "core/load/bulk.h"

namespace chirp::cli {

struct Imported {
  std::uint64_t rows = 0;
  std::uint64_t gone = 0;     // follows of users who were removed meanwhile
  std::uint64_t blocked = 0;  // follows that a block now forbids
  std::uint64_t bytes = 0;
  bool is_known_complete = false;          // else the export is from an older version
  std::vector<std::string> settings_left;  // keys with another value here, which stays
};

// Which settings of an export are loaded: kHarmless is all except `http.*` and `auth.*`.
enum class Settings : std::uint8_t { kHarmless, kAll };

// The number of rows read, and the progress of a bulk load of the follows, if there is one.
struct ImportReach {
  std::uint64_t bytes = 0;
  std::optional<BulkProgress> bulk;
};

struct ImportOptions {
  Settings settings = Settings::kHarmless;
  load::Bulk bulk = load::Bulk::kAuto;
  std::function<void(const ImportReach&)> watched = {};  // called often, from any thread
  // called while it waits for another bulk load
  std::function<void(std::string_view who)> waiting = {};
};

// Throws Error{kConflict} if the engine is not empty. Stores nothing, and throws Error{kBadInput},
// if a file is missing or the export is not what its `export.json` says. Throws Error{kBadInput},
// with file and line number, if a line is not part of an export or breaks a rule for stored rows.
// Batches before that line stay stored, so a retry needs an empty directory.
Imported import_from(Engine& engine, const std::filesystem::path& from, ImportOptions options);

}  // namespace chirp::cli
