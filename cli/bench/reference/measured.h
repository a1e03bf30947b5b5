// The results of a run of the reference load, and how they are printed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench/figure.h"
#include "cli/bench/reference/pace.h"
#include "cli/output.h"

namespace chirp::cli::bench {

// Mean and maximum of sampled values.
class Looks {
 public:
  void add(double value);
  [[nodiscard]] double mean() const;
  [[nodiscard]] double worst() const { return worst_; }

 private:
  double sum_ = 0;
  double worst_ = 0;
  std::uint64_t count_ = 0;
};

struct Lag {
  Looks events;        // pending for fan-out
  Looks unfinished;    // posts with unfinished deliveries
  Looks millis;        // age of the oldest of those events
  Looks other_events;  // pending for the slowest of the other consumers
};

// Costs of this process, except for `disk_bytes`.
struct Costs {
  double processor_seconds = 0;
  std::uint64_t bytes_written = 0;          // passed to calls that write
  std::optional<std::uint64_t> disk_bytes;  // written by the disk, for all processes; if counted
  std::uint64_t own_bytes = 0;              // current memory
  std::uint64_t mapped_bytes = 0;           // current memory of mapped files
};
// Since the start of the process; for the disk of `data`, since the start of the system.
[[nodiscard]] Costs costs_so_far(const std::filesystem::path& data);
// The difference from `before`; memory is the current one.
[[nodiscard]] Costs costs_since(const Costs& before, Costs now);

struct WantedRates {
  double reads = 0;  // per second
  double posts = 0;
};

// Deliveries of posts to the followers of their authors.
struct DeliveryRate {
  double made = 0;  // of posts that are not pending any more
  double seconds = 0;
  double wanted = 0;  // per second
  double followers_a_post = 0;
  double into_timelines = 0;  // entries added, including the authors' own
  std::uint64_t pending = 0;  // posts pending at the end
};

struct Measured {
  WantedRates wanted;
  double seconds = 0;
  Paced reads;
  Paced posts;
  DeliveryRate deliveries;
  Lag lag;
  Histogram shows;  // of `feed show` in other processes
  std::uint64_t failed_shows = 0;
  Costs costs;  // of the run; memory at the end
  std::uint64_t cache_bytes = 0;
  double from_memory = 0;  // share of the pages
};

// The goals that were missed, in words; empty if all are met.
[[nodiscard]] std::vector<std::string> shortfalls(const Measured& measured);

// Prints the results of another run in the same form.
void print_paced(Output& out, const std::string& name, const Paced& paced, double seconds,
                 double wanted);
void print_deliveries(Output& out, const std::string& name, const DeliveryRate& deliveries);
void print(Output& out, const Measured& measured);

}  // namespace chirp::cli::bench
