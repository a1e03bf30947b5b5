// Copies of a data directory in a temporary folder: one for preparation, two masters, and one at a
// time to play on. The original is read once and not changed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "cli/bench/world.h"
#include "cli/lab/script.h"
#include "core/model/policy.h"
#include "store/data_directory.h"

namespace chirp::cli::lab {

class LabCopies {
 public:
  LabCopies(store::DataDirectory& original, const Clock& machine);

  // A complete copy, until the masters are made.
  [[nodiscard]] store::DataDirectory& whole() { return *whole_; }
  // Removes the played time from the copy, and makes the masters: one with all authors pulled and
  // no timelines, and one with all authors pushed and timelines of all recent readers. `asked` gets
  // the number of users while timelines are built.
  void make_masters(const Script& script, const Clock& machine,
                    const std::function<void(std::uint64_t users)>& asked);
  [[nodiscard]] std::uint64_t timelines() const { return timelines_; }
  // The settings of the original.
  [[nodiscard]] const feed::FeedSettings& settings() const { return settings_; }

  // A copy to play on under a policy, which the caller still has to set. Removes the previous copy,
  // which must be closed.
  [[nodiscard]] std::unique_ptr<store::DataDirectory> fresh(feed::Policy policy);

 private:
  bench::TemporaryFolder folder_;
  std::unique_ptr<store::DataDirectory> whole_;
  feed::FeedSettings settings_;
  std::uint64_t timelines_ = 0;
};

}  // namespace chirp::cli::lab
