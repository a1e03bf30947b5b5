// Merges the sources of entries into one walk, newest first or oldest first.
//
// A run is one sorted source. It is fetched from the snapshot in batches that double in size, so
// that a page costs one fetch per source and a long walk few. A walk has one or two stretches, each
// a merge of runs. Above the timeline's complete-from mark: the timeline, pending entries and the
// logs of pulled authors. Below it: the logs of all authors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/feed/page.h"
#include "core/ports/snapshot.h"

namespace chirp::feed {

// An unfiltered entry with its source.
struct Candidate {
  Entry entry;
  Source source = Source::kPulled;
};

// The bounds, direction and first batch size of a walk.
struct WalkPlan {
  IdRange range;
  Direction direction = Direction::kDown;
  std::uint32_t batch = 1;
};

class Run {
 public:
  // The stored timeline of `viewer`. An entry's source follows from its origin.
  static Run timeline(const FeedReader& snapshot, UserNumber viewer, const WalkPlan& plan);
  // A list in memory, newest first.
  static Run pending(std::span<const Entry> entries, const WalkPlan& plan);
  // The entries of `authors` (ascending) in the viewer's feed, merged by the store.
  static Run logs(const FeedReader& snapshot, UserNumber viewer, std::vector<UserNumber> authors,
                  Source source, const WalkPlan& plan);

  // The next entry, skipping the id returned last; null at the end of the run.
  [[nodiscard]] const Entry* head(PostId given);
  [[nodiscard]] Source source_of(const Entry& entry) const;
  // Timelines and author logs read so far.
  [[nodiscard]] std::uint64_t sources() const { return sources_; }
  // Stops reading this author's log, if the run reads it.
  void leave_out(UserNumber author);

 private:
  enum class Kind : std::uint8_t { kTimeline, kPending, kLogs };
  Run(Kind kind, const WalkPlan& plan) : kind_(kind), first_batch_(plan.batch), plan_(plan) {}
  void refill();

  Kind kind_;
  std::uint32_t first_batch_;             // the size of the first batch
  WalkPlan plan_;                         // the range left; shrinks with each batch
  const FeedReader* snapshot_ = nullptr;  // null if everything was fetched at the start
  UserNumber viewer_;
  std::vector<UserNumber> authors_;
  Source source_ = Source::kPulled;
  std::vector<Entry> fetched_;
  std::size_t position_ = 0;
  std::uint64_t sources_ = 0;
  bool ended_ = false;
};

// A sequence of candidates for a page.
class Candidates {
 public:
  virtual ~Candidates() = default;
  // The next entry, no id twice; empty at the end. Unfiltered.
  [[nodiscard]] virtual std::optional<Candidate> next() = 0;
  // Timelines and author logs read so far.
  [[nodiscard]] virtual std::uint64_t sources() const = 0;
  // Skips entries of this author from now on, because the viewer sees none of them.
  virtual void leave_out(UserNumber author) = 0;
};

// The walk of one viewer over one state. `sources` and `snapshot` must outlive it.
class FeedWalk final : public Candidates {
 public:
  enum class Timeline : std::uint8_t { kUse, kIgnore };

  FeedWalk(const FeedReader& snapshot, const FeedSources& sources, UserNumber viewer,
           Timeline timeline, const WalkPlan& plan);

  [[nodiscard]] std::optional<Candidate> next() override;
  [[nodiscard]] std::uint64_t sources() const override;
  void leave_out(UserNumber author) override;

 private:
  using Stretch = std::vector<Run>;
  [[nodiscard]] std::optional<Candidate> next_of(Stretch& stretch);
  [[nodiscard]] Stretch above_mark(const FeedSources& sources, const WalkPlan& plan) const;

  const FeedReader& snapshot_;
  UserNumber viewer_;
  Direction direction_;
  std::vector<Stretch> stretches_;
  std::size_t current_ = 0;
  PostId given_;                      // id returned by the last next(); no entry has the id 0
  std::vector<UserNumber> left_out_;  // few: a viewer rarely follows hidden authors
};

// Whether a page uses the timeline, as if the policy `as_if` were in force: it does if the timeline
// is valid and P0 does not pull all posts anyway. A policy has no other effect on a read.
[[nodiscard]] FeedWalk::Timeline use_of_timeline(const FeedSources& sources,
                                                 std::optional<Policy> as_if);

// The upkeep to do after a read from these sources.
[[nodiscard]] Upkeep upkeep_of(const FeedSources& sources, Time now);

// The authors of a feed: `viewer` and those followed, ascending.
[[nodiscard]] std::vector<UserNumber> authors_of(const FeedSources& sources, UserNumber viewer);

}  // namespace chirp::feed
