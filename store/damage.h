// Damaged records of the engine's store in a folder, and how they are dropped. For whoever has
// nothing open of the directory in this process; other processes may.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/model/time.h"

namespace chirp::store {

struct DamagedRecord {
  enum class Fate : std::uint8_t {
    kRebuilt,  // `chirp doctor --repair` makes it again from other records
    kLost,
    kNeeded,  // the store can't be without it
  };
  std::string table;
  std::string key;    // in hexadecimal
  std::string value;  // likewise
  std::string why;
  Fate fate = Fate::kLost;
};

// Throws as opening a data directory does.
[[nodiscard]] std::vector<DamagedRecord> damaged_records(const std::filesystem::path& path);

// Removes the damaged records that can be rebuilt, so that a repair does so. With `keep` those that
// are lost, too, after it was called with all of them. Returns what was removed.
std::vector<DamagedRecord> drop_damaged(
    const std::filesystem::path& path, Time now,
    const std::function<void(const std::vector<DamagedRecord>&)>& keep = {});

}  // namespace chirp::store
