// What the runs say of a whole day: figures a policy, the cheapest one, and where it turns.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/lab/play.h"

namespace chirp::cli::lab {

// What part of a day was played.
struct Share {
  double posts = 1;  // posts of the day to each one that was played
  double reads = 1;  // likewise
};
[[nodiscard]] Share share_of(const Script& script);

// Of one run. What is counted and spent is of the whole day, by the share that was played; a read's
// figures are means and percentiles of what was played.
struct Figures {
  std::string name;  // of policy and threshold, as name_of() says it
  Case what;
  bool hot = false;
  double deliveries = 0;
  double timeline_bytes = 0;         // at the end, as they are
  double bytes_written = 0;          // for posts and reads
  std::optional<double> disk_bytes;  // of the run as it was played, by the disk, for everybody
  double amplification = 0;          // bytes written for posts, to each byte of the posts
  double sources = 0;                // a read
  double examined = 0;               // likewise
  double from_memory = 0;            // part of the reads
  double p50_micros = 0;
  double p99_micros = 0;
  double post_seconds = 0;  // of processor time: posts, their deliveries and what is counted
  double read_seconds = 0;

  [[nodiscard]] double seconds() const { return post_seconds + read_seconds; }
};
[[nodiscard]] Figures figures_of(const Played& played, const Share& share);

// Where pushing begins to pay. Empty where it can't be told: push and pull differ by nothing, or
// what is thought to cost more costs less.
struct BreakEven {
  double reads_a_post = 0;  // of the day, all readers and authors together
  // From how many on everybody pushed costs less processor time than everybody pulled.
  std::optional<double> turns_at;
  // Nanoseconds of processor time that one delivery adds, and one source of a read, as push and
  // pull without a hot set differ by them.
  std::optional<double> delivery_ns;
  std::optional<double> source_ns;
  // The same as the engine has measured it for the cost rule, by the clock.
  double rule_delivery_ns = 0;
  double rule_source_ns = 0;

  // Reads by a follower to each post of an author, from which on the author is pushed.
  [[nodiscard]] std::optional<double> by_follower() const;
  [[nodiscard]] std::optional<double> rule_by_follower() const;
};
// `push` and `pull` were played without a hot set; `rule` is the run whose cost rule is asked.
[[nodiscard]] BreakEven break_even_of(const Played& push, const Played& pull, const Played& rule,
                                      double reads_a_post);

struct Findings {
  Share share;
  std::vector<Figures> runs;  // in the order in which they were played
  std::size_t cheapest = 0;   // of them, by processor time
  std::size_t fewest_bytes = 0;
  std::uint64_t refused = 0;      // posts that the first run could not publish again
  std::optional<BreakEven> turn;  // if push and pull were played without a hot set
  std::uint64_t pages_compared = 0;
  std::uint64_t pages_different = 0;  // from those of the first run
  std::uint64_t pages_wrong = 0;      // not what their definition says
};
// Of one run at least.
[[nodiscard]] Findings findings_of(const Script& script, std::span<const Played> runs);

}  // namespace chirp::cli::lab
