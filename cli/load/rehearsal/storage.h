// The engine's store of a dry run: the rules write into memory (memory.h), over what is there,
// which is only read. So loads run as they are, and a dry run says what they would.
//
// It gives no more than loads ask for: what they put and never read back, such as logs, counters
// and timelines, is not kept. Each transaction and each snapshot reads a state of its own of what
// is there, as a load does. Safe to call from any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
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

  // Whether there was more to keep.
  [[nodiscard]] bool is_full() const { return full_; }
  [[nodiscard]] StoreState state() const;

 private:
  friend class RehearsedRows;

  void keep(const RehearsedRows& rows);

  const Storage* below_;
  const Newcomers& users_;
  std::size_t most_bytes_;
  mutable std::mutex turn_;    // held while deciding; guards the members below
  mutable std::mutex memory_;  // to change it, and to read it out of turn
  StoreState state_;
  Memory rows_;
  // Used only while deciding. The cards known of existing users, by number.
  std::vector<std::optional<Presence>> presence_;
  std::optional<std::vector<UserNumber>> blocking_;  // users who have blocked someone, ascending
  std::atomic<bool> full_{false};
};

}  // namespace chirp::cli::rehearsal
