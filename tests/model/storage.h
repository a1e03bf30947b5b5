// A store in memory: the model that other stores are compared with, and a world that tests make in
// a microsecond.
//
// Keeps every promise of core/ports/storage.h but durability. Simple before fast: a snapshot shares
// the state, and the first change after a snapshot copies it. Safe to call from any thread.
#pragma once

#include <memory>
#include <mutex>

#include "core/rules/writing.h"
#include "tests/model/state.h"

namespace chirp::model {

class ModelStorage : public rules::DecidingStorage {
 public:
  // `machine` is the number in the live ids: snowflake::kMachineMin … kMachineMax.
  explicit ModelStorage(std::uint32_t machine = snowflake::kMachineDefault);

  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override;
  [[nodiscard]] std::uint64_t version() const override;
  bool decide(Time now, Purpose purpose, const Decision& decision) override;
  // Rules keep the indexes, and nothing here is ever damaged.
  std::uint64_t repair_indexes(Time /*now*/) override { return 0; }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<State> state_;
  mutable bool lent_ = false;  // a snapshot was taken of this very state
};

}  // namespace chirp::model
