// The engine's store for whoever wants to know what a change would do: rules run as they would, say
// what they say and throw what they throw, and nothing of it stays.
//
//   Rehearsal rehearsal(engine.storage());
//   social::Follows(rehearsal, engine.accounts(), clock).remove(yuki, others);  // what would
//   change
//
// It takes the writers' turn like the change itself. One thread.
#pragma once

#include <memory>

#include "core/rules/writing.h"

namespace chirp::cli {

class Rehearsal final : public rules::DecidingStorage {
 public:
  // `storage` must outlive it.
  explicit Rehearsal(Storage& storage) : storage_(storage) {}

  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override { return storage_.snapshot(); }
  [[nodiscard]] std::uint64_t version() const override { return storage_.version(); }
  bool decide(Time now, Purpose purpose, const Decision& decision) override;
  // Indexes are derived, and no change that somebody makes.
  std::uint64_t repair_indexes(Time /*now*/) override { return 0; }

 private:
  Storage& storage_;
};

}  // namespace chirp::cli
