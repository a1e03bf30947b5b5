// A store that is far away: the rules run on this side over what was fetched (core/far), and every
// exchange with the store behind it is counted and can be made to fail.
//
// Round 0 of a turn begins it and brings the state, the last one brings what is to be kept; those
// between them fetch what a run of the rules has lacked. Safe to call from any thread, if the store
// behind it is.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

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

  // Fetches of the last turn, without its begin and its end.
  [[nodiscard]] int fetches() const { return fetches_; }
  // The most that a turn has taken since this was asked last.
  [[nodiscard]] int take_most_fetches();
  // Lets the round of this number fail in each turn, with Error{kUnavailable}; none any more unless
  // one is given.
  void fail_round(std::optional<int> round) { failing_ = round; }
  // Rounds of the last turn, the failed one too.
  [[nodiscard]] int rounds() const { return rounds_; }

 private:
  void begin_round();
  void fetch(const far::Lacked& lacked, far::Known& known, Time now);

  Storage& inner_;
  std::mutex turn_;
  std::optional<int> failing_;
  int rounds_ = 0;
  int fetches_ = 0;
  int most_ = 0;
};

}  // namespace chirp::test
