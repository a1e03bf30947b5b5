// A store that simulates a remote one: rules run locally over fetched rows (core/far), and each
// exchange with the inner store is counted and can be made to fail.
//
// Round 0 of a turn begins it and brings the state, the last one sends the changes; those between
// fetch rows that a run of the rules lacked. As thread-safe as the inner store.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "core/far/overlay.h"
#include "core/rules/writing.h"

namespace chirp::test {

class FarStorage final : public rules::DecidingStorage {
 public:
  explicit FarStorage(Storage& inner) : inner_(inner) {}

  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override { return inner_.snapshot(); }
  [[nodiscard]] std::uint64_t version() const override { return inner_.version(); }
  bool decide(Time now, Purpose purpose, const Decision& decision) override;
  std::uint64_t repair_indexes(Time now) override { return inner_.repair_indexes(now); }

  // Fetches of the last turn, without its begin and end.
  [[nodiscard]] int fetches() const { return fetches_; }
  // Returns the maximum number of fetches of a turn since the last call.
  [[nodiscard]] int take_most_fetches();
  // Makes this round of each turn fail with Error{kUnavailable}; empty: no failures.
  void fail_round(std::optional<int> round) { failing_ = round; }
  // Rounds of the last turn, including a failed one.
  [[nodiscard]] int rounds() const { return rounds_; }

 private:
  void begin_round();
  void fetch(const far::MissingRows& lacked, far::Known& known, Time now);

  Storage& inner_;
  std::mutex turn_;
  std::optional<int> failing_;
  int rounds_ = 0;
  int fetches_ = 0;
  int most_ = 0;
};

}  // namespace chirp::test
