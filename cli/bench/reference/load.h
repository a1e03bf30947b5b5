// The reference load: readers, writers and observations, each on its own clock.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <utility>
#include <vector>

#include "cli/bench/reference/measured.h"
#include "cli/bench/reference/pace.h"
#include "cli/bench/reference/people.h"
#include "cli/bench/reference/served.h"

namespace chirp::cli::bench {

// Threads that work on one task. join() waits for all, and throws the first error.
class Crew {
 public:
  void add(std::function<void()> work) {
    running_.push_back(std::async(std::launch::async, std::move(work)));
  }
  void join() {
    for (std::future<void>& each : running_) each.get();
  }

 private:
  std::vector<std::future<void>> running_;  // their destructors wait
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
