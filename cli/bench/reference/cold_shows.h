// `chirp feed show` beside the load: this very program, as a process that has nothing in memory.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/bench/reference/histogram.h"
#include "cli/bench/reference/pace.h"

namespace chirp::cli::bench {

class ColdShows {
 public:
  // Of the feeds of these, in turns.
  ColdShows(std::filesystem::path data, std::vector<std::string> names)
      : data_(std::move(data)), names_(std::move(names)) {}

  // One every second until `end`, one at least.
  void run(RunClock& clock, std::int64_t end);

  // From its start to its end.
  [[nodiscard]] const Histogram& times() const { return times_; }
  [[nodiscard]] std::uint64_t failed() const { return failed_; }

 private:
  std::filesystem::path data_;
  std::vector<std::string> names_;
  Histogram times_;
  std::uint64_t failed_ = 0;
};

}  // namespace chirp::cli::bench
