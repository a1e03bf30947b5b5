// Copies of a data directory, folders in a temporary folder that goes with them: one to get ready,
// two masters of it, and one at a time to play on. The directory itself is read once, and left as
// it is.
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

class Copies {
 public:
  Copies(store::DataDirectory& original, const Clock& machine);

  // A copy with everything in it, until the masters are made.
  [[nodiscard]] store::DataDirectory& whole() { return *whole_; }
  // Takes the time that is played out of it, and makes the masters: everybody pulled without
  // timelines, and everybody pushed with those of all who have read lately. `asked` hears of users
  // as their timelines are built.
  void make_masters(const Script& script, const Clock& machine,
                    const std::function<void(std::uint64_t users)>& asked);
  [[nodiscard]] std::uint64_t timelines() const { return timelines_; }
  // What the original has in force.
  [[nodiscard]] const feed::FeedSettings& settings() const { return settings_; }

  // A copy to play on under a policy, which is yet to be put in force. The one before is gone, and
  // must be closed.
  [[nodiscard]] std::unique_ptr<store::DataDirectory> fresh(feed::Policy policy);

 private:
  bench::TemporaryFolder folder_;
  std::unique_ptr<store::DataDirectory> whole_;
  feed::FeedSettings settings_;
  std::uint64_t timelines_ = 0;
};

}  // namespace chirp::cli::lab
