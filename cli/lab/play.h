// One policy on one copy: the script played from its first post or read to its last, and what that
// has cost.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench/reference/histogram.h"
#include "cli/lab/meter.h"
#include "cli/lab/script.h"
#include "core/model/policy.h"
#include "core/ports/clock.h"
#include "store/data_directory.h"

namespace chirp::cli::lab {

struct Case {
  feed::Policy policy = feed::Policy::kPush;
  std::optional<std::uint64_t> threshold;  // of hybrid: who has more followers is pulled
  std::uint64_t cache_bytes = 0;           // of the hot set; 0: none
};
// "push", "hybrid above 1000".
[[nodiscard]] std::string name_of(const Case& played);

// Posts by authors with about as many followers, each of which came alone in its second.
struct PostCost {
  std::uint64_t posts = 0;
  std::uint64_t followers = 0;    // of all these posts' authors together
  std::int64_t processor_ns = 0;  // publishing, and the consumers
};

// What the timeline of the watched reader is made of.
struct TimelineMoment {
  Time at;
  std::uint64_t pushed = 0;
  std::uint64_t backfilled = 0;
};

struct Played {
  Case what;
  std::uint64_t posts = 0;           // that were published
  std::uint64_t post_bytes = 0;      // of their texts, with 24 for id, author and time
  std::uint64_t refused = 0;         // that were not
  std::uint64_t deliveries = 0;      // to followers, and to the authors themselves
  std::uint64_t pulled_authors = 0;  // of those who posted, whose next post would be pulled
  std::uint64_t timeline_bytes = 0;  // at the end, in whole pages
  Spent for_posts;
  Spent for_reads;
  std::optional<std::uint64_t> disk_bytes;  // written by the disk meanwhile, for everybody
  std::uint64_t reads = 0;
  std::uint64_t sources = 0;
  std::uint64_t examined = 0;
  std::uint64_t from_memory = 0;  // reads
  bench::Histogram latency;       // of a page
  // What the engine says by the end, of its own measurements.
  std::uint32_t delivery_ns = 0;
  std::uint32_t source_ns = 0;
  std::map<int, PostCost> by_followers;  // by the number of binary digits of the followers
  std::vector<TimelineMoment> life;
  std::vector<std::vector<PostId>> pages;  // of the checked readers, at the end
  std::uint64_t wrong_pages = 0;           // of them, that are not what their definition says
};

// Puts the policy of the case in force in a fresh copy, with `settings` for all else, and plays.
[[nodiscard]] Played play(store::DataDirectory& copy, const Script& script, const Case& what,
                          const feed::FeedSettings& settings, const Clock& machine);

}  // namespace chirp::cli::lab
