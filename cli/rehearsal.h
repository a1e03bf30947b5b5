// A store for dry runs: rules run as usual, with the same results and errors, and all their changes
// are undone.
//
//   Rehearsal rehearsal(engine.storage());
//   social::Follows(rehearsal, engine.accounts(), clock).remove(yuki, others);
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
  // Indexes are derived data, so a dry run leaves them.
  std::uint64_t repair_indexes(Time /*now*/) override { return 0; }

 private:
  Storage& storage_;
};

}  // namespace chirp::cli
