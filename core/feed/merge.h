// Merging the places where entries are found into one walk, newest first or oldest first.
//
// A run is one sorted source, fetched from the snapshot in batches that double in size, so that a
// page costs one fetch a source and a long walk few. A walk is one or two stretches of a feed laid
// end to end, each a merge of runs: above the timeline's complete-from mark the timeline, what is
// pending and the logs of authors who are pulled; below it the logs of everybody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/feed/page.h"
#include "core/ports/snapshot.h"

namespace chirp::feed {

// An entry on its way to a page, and where it was found.
struct Candidate {
  Entry entry;
  Source source = Source::kPulled;
};

// How a walk goes: from where to where, which way, how many entries to ask for at first.
struct WalkPlan {
  IdRange range;
  Direction direction = Direction::kDown;
  std::uint32_t batch = 1;
};

class Run {
 public:
  // The stored timeline of `viewer`. Sources are those of the entries' origins.
  static Run timeline(const FeedReader& snapshot, UserNumber viewer, const WalkPlan& plan);
  // A list that is there already, newest first.
  static Run pending(std::span<const Entry> entries, const WalkPlan& plan);
  // The entries of `authors` (ascending) in the viewer's feed, merged by the store.
  static Run logs(const FeedReader& snapshot, UserNumber viewer, std::vector<UserNumber> authors,
                  Source source, const WalkPlan& plan);

  // The next entry, past `given` if it is that; null at the end of the run.
  [[nodiscard]] const Entry* head(PostId given);
  [[nodiscard]] Source source_of(const Entry& entry) const;
  // Timelines and author logs read so far.
  [[nodiscard]] std::uint64_t sources() const { return sources_; }
  // Stops reading the log of this author, if this run reads it.
  void leave_out(UserNumber author);

 private:
  enum class Kind : std::uint8_t { kTimeline, kPending, kLogs };
  Run(Kind kind, const WalkPlan& plan) : kind_(kind), first_batch_(plan.batch), plan_(plan) {}
  void refill();

  Kind kind_;
  std::uint32_t first_batch_;             // the size of the first batch
  WalkPlan plan_;                         // the range shrinks as batches are fetched
  const FeedReader* snapshot_ = nullptr;  // null for what is fetched once and for all
  UserNumber viewer_;
  std::vector<UserNumber> authors_;
  Source source_ = Source::kPulled;
  std::vector<Entry> fetched_;
  std::size_t position_ = 0;
  std::uint64_t sources_ = 0;
  bool ended_ = false;
};

// Where entries come from, one after the other.
class Candidates {
 public:
  virtual ~Candidates() = default;
  // The next entry, no id twice; empty at the end. Unfiltered.
  [[nodiscard]] virtual std::optional<Candidate> next() = 0;
  // Timelines and author logs read so far.
  [[nodiscard]] virtual std::uint64_t sources() const = 0;
  // Stops giving entries of this author, of whom the viewer sees nothing.
  virtual void leave_out(UserNumber author) = 0;
};

// The walk of one viewer over one state. `sources` and `snapshot` must outlive it.
class Walk final : public Candidates {
 public:
  enum class Timeline : std::uint8_t { kUse, kIgnore };

  Walk(const FeedReader& snapshot, const FeedSources& sources, UserNumber viewer, Timeline timeline,
       const WalkPlan& plan);

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

// Whether a page is walked with the timeline, as if the policy `as_if` were in force: it is, if the
// timeline is valid and not everybody's posts are pulled anyway. This is all that a policy decides
// about a read.
[[nodiscard]] Walk::Timeline use_of_timeline(const FeedSources& sources,
                                             std::optional<Policy> as_if);

// What a read out of these sources leaves to be done.
[[nodiscard]] Upkeep upkeep_of(const FeedSources& sources, Time now);

// `viewer` and those followed, ascending: whose logs a feed is made of.
[[nodiscard]] std::vector<UserNumber> authors_of(const FeedSources& sources, UserNumber viewer);

}  // namespace chirp::feed
