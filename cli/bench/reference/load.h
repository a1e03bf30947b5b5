// The reference load itself: readers, writers and what is looked at meanwhile, each on its clock.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "cli/bench/reference/measured.h"
#include "cli/bench/reference/people.h"
#include "cli/bench/reference/served.h"

namespace chirp::cli::bench {

struct LoadPlan {
  Wanted wanted;
  double seconds = 0;
  std::uint64_t threads = 1;   // that read
  std::filesystem::path data;  // that other processes open
};

inline constexpr std::uint64_t kWriters = 64;

// Every reader once, so that what a server holds after a while is held.
void warm_up(Served& served, const Crowd& crowd, std::uint64_t threads,
             const std::function<void(std::uint64_t)>& read);
// As many pages as go, one after the other.
[[nodiscard]] Paced reads_alone(Served& served, const Crowd& crowd, const LoadPlan& plan);
[[nodiscard]] Measured run_load_on(Served& served, const Crowd& crowd, const LoadPlan& plan,
                                   const Clock& wall);

}  // namespace chirp::cli::bench
