// Results for a whole day: figures for each policy, the cheapest one, and the break-even.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/lab/play.h"

namespace chirp::cli::lab {

// Which part of the day was played.
struct Share {
  double posts = 1;  // posts of the day for each played one
  double reads = 1;  // reads of the day for each played one
};
[[nodiscard]] Share share_of(const Script& script);

// The figures of one run. Counts and costs are scaled to the whole day; figures of a read are means
// and percentiles of the played ones.
struct Figures {
  std::string name;  // from name_of()
  Case what;
  bool hot = false;
  double deliveries = 0;
  double timeline_bytes = 0;         // at the end, not scaled
  double bytes_written = 0;          // for posts and reads
  std::optional<double> disk_bytes;  // of the run, not scaled, by the disk for all processes
  double amplification = 0;          // bytes written for each byte of the posts
  double sources = 0;                // a read, on average
  double examined = 0;               // a read, on average
  double from_memory = 0;            // share of the reads
  double p50_micros = 0;
  double p99_micros = 0;
  double post_seconds = 0;  // processor time for posts, deliveries and counters
  double read_seconds = 0;

  [[nodiscard]] double seconds() const { return post_seconds + read_seconds; }
};
[[nodiscard]] Figures figures_of(const Played& played, const Share& share);

// The point from which pushing is cheaper. Empty if it can't be computed: push and pull do not
// differ, or the side expected to cost more costs less.
struct BreakEven {
  double reads_a_post = 0;  // of the day, for all readers and authors together
  // Above this number, pushing all authors costs less processor time than pulling all.
  std::optional<double> turns_at;
  // Nanoseconds of processor time for one more delivery, and for one more source of a read: the
  // difference between push and pull without a hot set.
  std::optional<double> delivery_ns;
  std::optional<double> source_ns;
  // The same as measured by the engine for the cost rule, in elapsed time.
  double rule_delivery_ns = 0;
  double rule_source_ns = 0;

  // Reads by a follower for each post of an author, from which on the author is pushed.
  [[nodiscard]] std::optional<double> by_follower() const;
  [[nodiscard]] std::optional<double> rule_by_follower() const;
};
// `push` and `pull` ran without a hot set; `rule` is the run whose cost rule is evaluated.
[[nodiscard]] BreakEven break_even_of(const Played& push, const Played& pull, const Played& rule,
                                      double reads_a_post);

struct Findings {
  Share share;
  std::vector<Figures> runs;  // in the order of the runs
  std::size_t cheapest = 0;   // index in `runs`, by processor time
  std::size_t fewest_bytes = 0;
  std::uint64_t refused = 0;      // posts that the first run could not publish
  std::optional<BreakEven> turn;  // if push and pull ran without a hot set
  std::uint64_t pages_compared = 0;
  std::uint64_t pages_different = 0;  // from those of the first run
  std::uint64_t pages_wrong = 0;      // violating the definition of a feed
};
// Takes at least one run.
[[nodiscard]] Findings findings_of(const Script& script, std::span<const Played> runs);

}  // namespace chirp::cli::lab
