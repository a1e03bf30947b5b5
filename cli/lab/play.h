// Plays the script on one copy under one policy, from its first post or read to its last, and
// measures the costs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench/reference/pace.h"
#include "cli/lab/script.h"
#include "core/model/policy.h"
#include "core/ports/clock.h"
#include "store/data_directory.h"

namespace chirp::cli::lab {

// The cost of work in this process: processor time, and bytes passed to calls that write.

// Processor time of all threads of this process since its start, in nanoseconds.
[[nodiscard]] std::int64_t processor_ns();

struct Spent {
  std::int64_t processor_ns = 0;
  std::uint64_t bytes_written = 0;  // as in bench::bytes_handed_to_writes()
};

// Charges costs to the current kind of work. One thread.
class Meter {
 public:
  enum class Work : std::uint8_t { kAside, kPosts, kReads };

  // Charges later costs to this kind of work. Cheap if it is the current one.
  void turn_to(Work work);
  [[nodiscard]] const Spent& posts() const { return posts_; }
  [[nodiscard]] const Spent& reads() const { return reads_; }

 private:
  Work work_ = Work::kAside;
  Spent posts_;
  Spent reads_;
  Spent began_;  // the counts at the start of the current work
};

struct Case {
  feed::Policy policy = feed::Policy::kPush;
  std::optional<std::uint64_t> threshold;  // for hybrid: authors with more followers are pulled
  std::uint64_t cache_bytes = 0;           // of the hot set; 0: no hot set
};
// "push", "hybrid above 1000".
[[nodiscard]] std::string name_of(const Case& played);

// Posts by authors with similar numbers of followers, each of them the only post in its second.
struct PostCost {
  std::uint64_t posts = 0;
  std::uint64_t followers = 0;    // sum over the authors of all these posts
  std::int64_t processor_ns = 0;  // of publishing and the consumers
};

// The composition of the watched reader's timeline.
struct TimelineMoment {
  Time at;
  std::uint64_t pushed = 0;
  std::uint64_t backfilled = 0;
};

struct Played {
  Case what;
  std::uint64_t posts = 0;           // published
  std::uint64_t post_bytes = 0;      // of their texts, plus 24 for id, author and time
  std::uint64_t refused = 0;         // posts that were not published
  std::uint64_t deliveries = 0;      // including those to the authors themselves
  std::uint64_t pulled_authors = 0;  // authors of these posts whose next post would be pulled
  std::uint64_t timeline_bytes = 0;  // at the end, in whole pages
  Spent for_posts;
  Spent for_reads;
  std::optional<std::uint64_t> disk_bytes;  // written by the disk meanwhile, for all processes
  std::uint64_t reads = 0;
  std::uint64_t sources = 0;
  std::uint64_t examined = 0;
  std::uint64_t from_memory = 0;  // number of reads
  bench::Histogram latency;       // of a page
  // The engine's own measurements at the end.
  std::uint32_t delivery_ns = 0;
  std::uint32_t source_ns = 0;
  std::map<int, PostCost> by_followers;  // key: number of binary digits of the followers
  std::vector<TimelineMoment> life;
  std::vector<std::vector<PostId>> pages;  // of the checked readers, at the end
  std::uint64_t wrong_pages = 0;           // pages that violate the definition of a feed
};

// Sets the policy of the case in a fresh copy, with `settings` for everything else, and plays.
[[nodiscard]] Played play(store::DataDirectory& copy, const Script& script, const Case& what,
                          const feed::FeedSettings& settings, const Clock& machine);

}  // namespace chirp::cli::lab
