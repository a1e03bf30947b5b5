// The home feed, computed from its definition (docs/architecture.md#the-feed).
//
// The timeline, the author logs and the pending tail are only places to look first; a page does not
// depend on which of them there are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/feed/page.h"
#include "core/feed/ranked.h"
#include "core/ports/clock.h"
#include "core/ports/snapshot.h"
#include "core/ports/steps.h"
#include "core/ports/storage.h"

namespace chirp::feed {

// One page out of one state. Throws Error{kInvalidArgument} for a limit out of 1 …
// limits::kPostPageMax or for both cursors. An unknown viewer has an empty feed.
[[nodiscard]] Page home_feed(const Snapshot& snapshot, const PageRequest& request,
                             const Clock& clock);

// The same with what others did with its posts.
[[nodiscard]] Page hydrated_page(const Snapshot& snapshot, const PageRequest& request,
                                 const Clock& clock);

// What a process that lives keeps of feeds in memory (core/hot/hot_set.h): pages as they are in the
// store's newest state. Safe to call from any thread.
class PageMemory {
 public:
  virtual ~PageMemory() = default;
  // What hydrated_page() says of the newest state.
  [[nodiscard]] virtual Page page(const PageRequest& request) = 0;
  // The same if all of it is held and nobody has to be waited for; the store is not touched.
  [[nodiscard]] virtual std::optional<Page> held_page(const PageRequest& request) = 0;
  // The same of this snapshot's state.
  [[nodiscard]] virtual Page page(const Snapshot& snapshot, const PageRequest& request) = 0;
};

// What is newer than an entry, out of one state: different originals, newest first,
// limits::kRefreshCountMax at most, whatever the limit of the request.
[[nodiscard]] std::vector<FeedItem> new_items(const Snapshot& snapshot,
                                              const RefreshRequest& request);

// The newest of what new_items() finds, and how many items that is. Throws Error{kInvalidArgument}
// for a limit out of 1 … limits::kPostPageMax.
[[nodiscard]] Refreshed refresh(const Snapshot& snapshot, const RefreshRequest& request,
                                const Clock& clock);

// A timeline built by a walk over the author logs; to be offered to Storage::store. Empty for who
// follows so many that they are served by pull alone.
[[nodiscard]] std::optional<BuiltTimeline> build_timeline(const Snapshot& snapshot,
                                                          UserNumber viewer, const Clock& clock);

struct Wrong {
  UserNumber user;
  PostId post;  // 0 if it is about the timeline as a whole
  std::string problem;
};

// Proves a viewer's timeline alone: its order, and the invariant (core/model/timeline.h) if it is
// valid. Nothing to say without a timeline.
[[nodiscard]] std::vector<Wrong> verify_timeline(const Snapshot& snapshot, UserNumber viewer);

// Proves a viewer's feed equal to the definition: the invariant of the timeline (core/model/
// timeline.h), then every page of it, both directions and in every way that policies are read,
// against a naive merge of the author logs.
[[nodiscard]] std::vector<Wrong> verify(const Snapshot& snapshot, UserNumber viewer,
                                        const Clock& clock);

// Holds one page against the definition of its feed: its items and what stands there of each, its
// cursors, and whether more is left. `snapshot` is of the state that the page was read from. Empty
// if it is right, else the first thing that is wrong. Costs a look at the log of everybody
// followed.
[[nodiscard]] std::optional<Wrong> wrong_in(const Snapshot& snapshot, const PageRequest& request,
                                            const Page& page);

// So many timelines at once are rebuilt at nearly the speed of more, in a transaction of a few
// milliseconds.
inline constexpr std::size_t kRebuiltAtOnce = 64;

// Reading with its side effects: an absent timeline is served by pull at once and built afterwards,
// and the day of the read is kept.
class Feeds {
 public:
  // `memory` may be null, and is of the same storage.
  Feeds(Storage& storage, const Clock& clock, PageMemory* memory = nullptr);

  [[nodiscard]] Page page(const PageRequest& request) const;
  // The same if it comes out of memory at once.
  [[nodiscard]] std::optional<Page> held_page(const PageRequest& request) const;
  [[nodiscard]] Refreshed refresh(const RefreshRequest& request,
                                  Algorithm algorithm = Algorithm::kChronological) const;
  // Takes the ranked feed that a walk of pages is cut from, by the weights in force.
  [[nodiscard]] RankedSnapshot take_ranked(UserNumber viewer) const;
  // A page of it, from a place on.
  [[nodiscard]] RankedPage ranked_page(const RankedSnapshot& ranked, std::size_t from,
                                       std::uint32_t limit) const;
  // The first page of a ranked feed that is not kept for further pages.
  [[nodiscard]] Page ranked(UserNumber viewer, std::uint32_t limit) const;
  // Does what the read left to be done (Page::upkeep). To be called after the answer has been sent.
  // Leaves a directory that cannot be written as it is. What a build has taken becomes part of what
  // the cost policy knows of a merge source only if the caller says which share of the pages reads
  // the sources at all, 0 to 1: that is for who keeps timelines up to date, since a process that
  // starts cold would tell of itself alone.
  void after_read(UserNumber viewer, Upkeep upkeep,
                  std::optional<double> reading_share = std::nullopt);
  // Keeps how far the viewer has read. Throws Error{kNotFound} for who is not there.
  void mark(UserNumber viewer, PostId up_to);
  // The post up to which the viewer has read; empty if that was never set.
  [[nodiscard]] std::optional<PostId> marked(UserNumber viewer) const;
  // Rebuilds materialised timelines, in one transaction if nobody else changes their sources
  // meanwhile. Memory: each takes up to 16 bytes for each of its entries. Returns how many there
  // are: users who are served by pull alone have none.
  std::size_t rebuild(std::span<const UserNumber> viewers);
  bool rebuild(UserNumber viewer) { return rebuild({&viewer, 1}) == 1; }
  [[nodiscard]] std::vector<Wrong> verify(UserNumber viewer) const;

 private:
  Storage& storage_;
  const Clock& clock_;
  PageMemory* memory_;
};

}  // namespace chirp::feed
