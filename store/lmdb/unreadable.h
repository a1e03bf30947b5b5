// Records that fail their check: found in every table, and erased.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "store/lmdb/env.h"

namespace chirp::lmdb {

struct UnreadableRecord {
  enum class Fate : std::uint8_t {
    kRebuilt,  // from other records, once it is gone
    kLost,
    kNeeded,  // the store can't be without it
  };
  Table table = Table::kMeta;
  std::string key;
  std::string value;
  std::string why;
  Fate fate = Fate::kLost;
};

[[nodiscard]] std::vector<UnreadableRecord> unreadable_records(const std::shared_ptr<Env>& env);

// Erases those of these that are still as they were, in short transactions. How many.
std::uint64_t erase_records(const std::shared_ptr<Env>& env,
                            std::span<const UnreadableRecord> records, Time now);

}  // namespace chirp::lmdb
