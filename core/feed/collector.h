// Making items out of entries: taken off a walk, hydrated in batches, held against the rules, and
// folded by original.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/feed/authors.h"
#include "core/feed/merge.h"
#include "core/feed/page.h"
#include "core/feed/rules.h"
#include "core/ports/snapshot.h"

namespace chirp::feed {

// Everything handed in must outlive it.
class Collector {
 public:
  // `direction` is the walk's.
  Collector(const Snapshot& snapshot, const Rules& rules, Authors& authors, Candidates& walk,
            Direction direction, std::uint32_t limit);

  // Consumes entries until one makes the last of `limit` items, and looks whether another is left.
  void run();

  // ---- afterwards
  // Newest first.
  [[nodiscard]] std::vector<FeedItem> items() &&;
  // Whether an entry that would be shown is left.
  [[nodiscard]] bool more() const { return more_; }
  // The first and the last entry consumed, in the direction of the walk; empty if there was none.
  [[nodiscard]] std::optional<PostId> first() const { return first_; }
  [[nodiscard]] std::optional<PostId> last() const { return last_; }
  // What it took, as far as the viewer may know: what is hidden from them, and what was read ahead,
  // is left out, or the cost would tell of it.
  [[nodiscard]] ReadCost cost() const { return cost_; }

 private:
  bool take(std::uint32_t count);
  void hydrate();
  [[nodiscard]] std::vector<Post> originals_of(std::span<const std::optional<Post>> posts) const;
  void meet_authors(std::span<const std::optional<Post>> posts, std::span<const Post> originals);
  void consume(std::size_t at, const HydratedEntry& hydrated, Post& post);
  [[nodiscard]] FeedItem& item_of(const HydratedEntry& hydrated, Post& post);

  const Snapshot& snapshot_;
  const Rules& rules_;
  Authors& authors_;
  Candidates& walk_;
  Direction direction_;
  std::uint32_t limit_;
  std::vector<Entry> entries_;          // of the batch at work
  std::vector<Source> sources_;         // of entries_
  std::vector<std::uint64_t> reached_;  // sources read when each of entries_ came
  std::vector<FeedItem> items_;         // in the order in which they were made
  std::optional<PostId> first_;
  std::optional<PostId> last_;
  ReadCost cost_;
  bool more_ = false;
};

}  // namespace chirp::feed
