// The home feed, computed from its definition (docs/architecture.md#the-feed).
//
// The timeline, the author logs and the pending tail are only sources; a page does not depend on
// which of them exist.
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

// Reads a page from one state. Throws Error{kInvalidArgument} for a limit outside 1 …
// limits::kPostPageMax or for both cursors. An unknown viewer has an empty feed.
[[nodiscard]] Page home_feed(const Snapshot& snapshot, const PageRequest& request,
                             const Clock& clock);

// The same with the stats of its posts.
[[nodiscard]] Page hydrated_page(const Snapshot& snapshot, const PageRequest& request,
                                 const Clock& clock);

// A cache of feeds in a long-running process (core/hot/hot_set.h): pages of the store's newest
// state. Safe to call from any thread.
class PageMemory {
 public:
  virtual ~PageMemory() = default;
  // Returns the page that hydrated_page() returns for the newest state.
  [[nodiscard]] virtual Page page(const PageRequest& request) = 0;
  // The same if all of it is cached and no lock has to be waited for; does not use the store.
  [[nodiscard]] virtual std::optional<Page> held_page(const PageRequest& request) = 0;
  // The same for this snapshot's state.
  [[nodiscard]] virtual Page page(const Snapshot& snapshot, const PageRequest& request) = 0;
};

// The entries newer than one entry, from one state: different originals, newest first,
// limits::kRefreshCountMax at most, whatever the limit of the request.
[[nodiscard]] std::vector<FeedItem> new_items(const Snapshot& snapshot,
                                              const RefreshRequest& request);

// The newest items of new_items(), with their total number. Throws Error{kInvalidArgument} for a
// limit outside 1 … limits::kPostPageMax.
[[nodiscard]] Refreshed refresh(const Snapshot& snapshot, const RefreshRequest& request,
                                const Clock& clock);

// Builds a timeline by a walk over the author logs, for rules::store(). Empty for users who follow
// so many accounts that they are served by pull alone.
[[nodiscard]] std::optional<BuiltTimeline> build_timeline(const Snapshot& snapshot,
                                                          UserNumber viewer, const Clock& clock);

struct FeedError {
  UserNumber user;
  PostId post;  // 0 if the whole timeline is wrong
  std::string problem;
};

// Checks only a viewer's timeline: its order, and the invariant (core/model/timeline.h) if it is
// valid. Returns nothing if there is no timeline.
[[nodiscard]] std::vector<FeedError> verify_timeline(const Snapshot& snapshot, UserNumber viewer);

// Checks a viewer's feed against the definition: the invariant of the timeline (core/model/
// timeline.h), then every page, in both directions and with every way in which policies read it,
// against a naive merge of the author logs.
[[nodiscard]] std::vector<FeedError> verify(const Snapshot& snapshot, UserNumber viewer,
                                            const Clock& clock);

// Checks one page against the definition of its feed: the items with their contents, the cursors,
// and whether there is more. `snapshot` must have the state that the page was read from. Returns
// the first error, or empty. Reads the log of every followed author.
[[nodiscard]] std::optional<FeedError> wrong_in(const Snapshot& snapshot,
                                                const PageRequest& request, const Page& page);

// Rebuilding more timelines at once is hardly faster, and this many take a transaction of a few
// milliseconds.
inline constexpr std::size_t kRebuiltAtOnce = 64;

// Feeds with the side effects of reading: a missing timeline is served by pull at once and built
// afterwards, and the day of the read is stored.
class Feeds {
 public:
  // `memory` may be null; otherwise it must use the same storage.
  Feeds(Storage& storage, const Clock& clock, PageMemory* memory = nullptr);

  [[nodiscard]] Page page(const PageRequest& request) const;
  // The same if the cache has all of it.
  [[nodiscard]] std::optional<Page> held_page(const PageRequest& request) const;
  [[nodiscard]] Refreshed refresh(const RefreshRequest& request,
                                  Algorithm algorithm = Algorithm::kChronological) const;
  // Takes the ranked feed that ranked pages are cut from, with the current weights.
  [[nodiscard]] RankedSnapshot take_ranked(UserNumber viewer) const;
  // A page of it, starting at index `from`.
  [[nodiscard]] RankedPage ranked_page(const RankedSnapshot& ranked, std::size_t from,
                                       std::uint32_t limit) const;
  // The first page of a ranked feed, without keeping the feed for further pages.
  [[nodiscard]] Page ranked(UserNumber viewer, std::uint32_t limit) const;
  // Does the work left by a read (Page::upkeep). Call it after the answer has been sent. Does
  // nothing in a read-only directory. The time of a build updates the cost policy's cost of a merge
  // source only if `reading_share` is given: the share of pages that read the sources at all, 0 to
  // 1. Give it only in a process that keeps timelines up to date, because a cold process would
  // measure only itself.
  void after_read(UserNumber viewer, Upkeep upkeep,
                  std::optional<double> reading_share = std::nullopt);
  // Stores how far the viewer has read. Throws Error{kNotFound} for a missing user.
  void mark(UserNumber viewer, PostId up_to);
  // The post up to which the viewer has read; empty if it was never set.
  [[nodiscard]] std::optional<PostId> marked(UserNumber viewer) const;
  // Rebuilds materialised timelines, in one transaction if no other writer changes their sources
  // meanwhile. Memory: up to 16 bytes for each entry. Returns how many were built: users who are
  // served by pull alone have none.
  std::size_t rebuild(std::span<const UserNumber> viewers);
  bool rebuild(UserNumber viewer) { return rebuild({&viewer, 1}) == 1; }
  [[nodiscard]] std::vector<FeedError> verify(UserNumber viewer) const;

 private:
  Storage& storage_;
  const Clock& clock_;
  PageMemory* memory_;
};

}  // namespace chirp::feed
