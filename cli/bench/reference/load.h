// The reference load: readers, writers and observations, each on its own clock.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/bench/reference/measured.h"
#include "cli/bench/reference/pace.h"
#include "cli/bench/reference/people.h"
#include "cli/bench/reference/served.h"

namespace chirp::cli::bench {

// `chirp feed show` beside the load, as a new process with cold caches each time.
class ColdShows {
 public:
  // Shows the feeds of these users in turn.
  ColdShows(std::filesystem::path data, std::vector<std::string> names)
      : data_(std::move(data)), names_(std::move(names)) {}

  // Runs one every second until `end`, and at least one.
  void run(RunClock& clock, std::int64_t end);

  // The processes' durations.
  [[nodiscard]] const Histogram& times() const { return times_; }
  [[nodiscard]] std::uint64_t failed() const { return failed_; }

 private:
  std::filesystem::path data_;
  std::vector<std::string> names_;
  Histogram times_;
  std::uint64_t failed_ = 0;
};

struct LoadPlan {
  WantedRates wanted;
  double seconds = 0;
  std::uint64_t threads = 1;   // of readers
  std::filesystem::path data;  // for the other processes
};

inline constexpr std::uint64_t kWriters = 64;

// Reads each reader's page once, to fill the caches.
void warm_up(Served& served, const Crowd& crowd, std::uint64_t threads,
             const std::function<void(std::uint64_t)>& read);
// Reads as many pages as possible, one after the other.
[[nodiscard]] Paced reads_alone(Served& served, const Crowd& crowd, const LoadPlan& plan);
[[nodiscard]] Measured run_load_on(Served& served, const Crowd& crowd, const LoadPlan& plan,
                                   const Clock& wall);

}  // namespace chirp::cli::bench
