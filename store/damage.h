// Damaged records of the engine's store in a folder, and how to drop them. Call these while this
// process has nothing of the directory open; other processes may.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/model/time.h"

namespace chirp::store {

struct DamagedRecord {
  enum class Fate : std::uint8_t {
    kRebuilt,  // `chirp doctor --repair` rebuilds it from other records
    kLost,
    kNeeded,  // the store does not work without it
  };
  std::string table;
  std::string key;    // in hexadecimal
  std::string value;  // in hexadecimal
  std::string why;
  Fate fate = Fate::kLost;
};

// Returns what is wrong with the pages of the engine's file, or empty. Nothing can be repaired or
// dropped while pages are damaged. Throws as opening a data directory does.
[[nodiscard]] std::optional<std::string> page_damage(const std::filesystem::path& path);

// Also tries to drop the records, without changing anything. Throws as opening a data directory
// does, and Error{kCorrupt} if too much is damaged for drop_damaged().
[[nodiscard]] std::vector<DamagedRecord> damaged_records(const std::filesystem::path& path);

// Removes the damaged records that can be rebuilt, so that a repair rebuilds them. If `keep` is
// given, calls it with all lost records and then removes those too. Returns the removed records.
// Throws as damaged_records() does, before anything is changed.
std::vector<DamagedRecord> drop_damaged(
    const std::filesystem::path& path, Time now,
    const std::function<void(const std::vector<DamagedRecord>&)>& keep = {});

}  // namespace chirp::store
