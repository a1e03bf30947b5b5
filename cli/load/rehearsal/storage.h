// The engine's store of a dry run: the rules write into memory (memory.h), over the existing store,
// which is only read. So the loads run unchanged, and a dry run reports what they would do.
//
// It supports only what loads need: rows that they write and never read, such as logs, counters and
// timelines, are not kept. Each transaction and each snapshot reads its own state of the existing
// store, as in a load. Safe to call from any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "cli/load/rehearsal/memory.h"
#include "cli/load/rehearsal/newcomers.h"
#include "core/load/words.h"
#include "core/rules/writing.h"

namespace chirp::cli::rehearsal {

class RehearsedRows;

class RehearsedStorage final : public rules::DecidingStorage {
 public:
  // `below` may be null. Keeps at most about this many bytes.
  RehearsedStorage(const Storage* below, const Newcomers& users, load::Words& words,
                   std::size_t most_bytes);

  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override;
  [[nodiscard]] std::uint64_t version() const override { return 0; }
  bool decide(Time now, Purpose purpose, const Decision& decision) override;
  std::uint64_t repair_indexes(Time /*now*/) override { return 0; }

  // Whether the limit was reached.
  [[nodiscard]] bool is_full() const { return full_; }
  [[nodiscard]] StoreState state() const;

 private:
  friend class RehearsedRows;

  void keep(const RehearsedRows& rows);

  const Storage* below_;
  const Newcomers& users_;
  std::size_t most_bytes_;
  mutable std::mutex turn_;    // held while deciding; guards the members below
  mutable std::mutex memory_;  // to change the memory, and to read it outside of the turn
  StoreState state_;
  Memory rows_;
  // Used only while deciding. The cards known of existing users, by number.
  std::vector<std::optional<Presence>> presence_;
  std::optional<std::vector<UserNumber>> blocking_;  // users who have blocked someone, ascending
  std::atomic<bool> full_{false};
};

}  // namespace chirp::cli::rehearsal
