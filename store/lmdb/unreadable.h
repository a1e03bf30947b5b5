// Records that fail their check: finds them in every table, and erases them.
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
    kRebuilt,  // from other records, after this one is erased
    kLost,
    kNeeded,  // the store does not work without it
  };
  Table table = Table::kMeta;
  std::string key;
  std::string value;
  std::string why;
  Fate fate = Fate::kLost;
};

[[nodiscard]] std::vector<UnreadableRecord> unreadable_records(const std::shared_ptr<Env>& env);

// Throws what erase_records() would throw. Changes nothing.
void try_erasing(const std::shared_ptr<Env>& env, std::span<const UnreadableRecord> records,
                 Time now);

// Erases the records that have not changed since, in short transactions. Returns their number.
std::uint64_t erase_records(const std::shared_ptr<Env>& env,
                            std::span<const UnreadableRecord> records, Time now);

}  // namespace chirp::lmdb
