// What a run of the reference load has shown, and how it is told.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench/figure.h"
#include "cli/bench/reference/histogram.h"
#include "cli/bench/reference/pace.h"
#include "cli/output.h"

namespace chirp::cli::bench {

// Mean and worst of what is looked at now and then.
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
  Looks events;        // that fan-out has yet to take in
  Looks unfinished;    // posts that are delivered in part
  Looks millis;        // since the oldest of those events
  Looks other_events;  // that the slowest of the other consumers has yet to take in
};

// Of this process, but for the disk.
struct Costs {
  double processor_seconds = 0;
  std::uint64_t bytes_written = 0;          // handed to calls that write
  std::optional<std::uint64_t> disk_bytes;  // that the disk has written, for everybody; if counted
  std::uint64_t own_bytes = 0;              // of memory now
  std::uint64_t mapped_bytes = 0;           // likewise, of files
};
// Since the process began, and of the disk of `data` since the system did.
[[nodiscard]] Costs costs_so_far(const std::filesystem::path& data);
// What has come on top since `before`; memory is as it is now.
[[nodiscard]] Costs costs_since(const Costs& before, Costs now);

struct Wanted {
  double reads = 0;  // a second
  double posts = 0;
};

// Of posts to those who follow their authors.
struct Deliveries {
  double made = 0;  // of posts that are no longer pending
  double seconds = 0;
  double wanted = 0;  // a second
  double followers_a_post = 0;
  double into_timelines = 0;  // entries that were put there, the authors' own among them
  std::uint64_t pending = 0;  // posts at the end
};

struct Measured {
  Wanted wanted;
  double seconds = 0;
  Paced reads;
  Paced posts;
  Deliveries deliveries;
  Lag lag;
  Histogram shows;  // of `feed show` in other processes
  std::uint64_t failed_shows = 0;
  Costs costs;  // of the run; memory at its end
  std::uint64_t cache_bytes = 0;
  double from_memory = 0;  // part of the pages
};

// What is short of the goal, in words; empty if it is met.
[[nodiscard]] std::vector<std::string> shortfalls(const Measured& measured);

// Of another run that is told in the same way.
void print_paced(Output& out, const std::string& name, const Paced& paced, double seconds,
                 double wanted);
void print_deliveries(Output& out, const std::string& name, const Deliveries& deliveries);
void print(Output& out, const Measured& measured);

}  // namespace chirp::cli::bench
