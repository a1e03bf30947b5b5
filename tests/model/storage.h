// A store in memory: the model that other stores are compared with, and a world that tests make in
// a microsecond.
//
// Keeps every promise of core/ports/storage.h but durability. Simple before fast: a snapshot shares
// the state, and a change copies the state while a snapshot of it is held. Safe to call from any
// thread.
#pragma once

#include <atomic>
#include <cstddef>
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
  // How many snapshots of this very state are held. They may outlive the store, and the last of
  // them gives its part back on any thread: what it has read happens before a change in place.
  using Lent = std::atomic<std::size_t>;
  std::shared_ptr<Lent> lent_ = std::make_shared<Lent>(0);
};

}  // namespace chirp::model
