// A page of a home feed: the request and the result.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/feed/printer.h"
#include "core/limits.h"
#include "core/model/policy.h"
#include "core/model/post.h"
#include "core/model/rank_weights.h"
#include "core/model/reaction.h"
#include "core/model/relation.h"
#include "core/model/shared.h"
#include "core/model/user.h"
#include "core/ports/snapshot.h"

namespace chirp::feed {

// Counters of a post, and the viewer's own reaction and repost.
struct PostStats {
  ContentCounters counters;
  bool knows_viewer = false;             // false for the operator and anonymous viewers
  std::optional<ReactionType> reaction;  // the viewer's own, if any
  bool reposted = false;                 // whether the viewer reposted it
};

// One for each post, read for all at once; no post may be a repost.
[[nodiscard]] std::vector<PostStats> stats_of(const ContentReader& snapshot, const Viewer& viewer,
                                              std::span<const PostId> posts);

enum class Explain : std::uint8_t { kNo, kYes };

struct PageRequest {
  UserNumber viewer;
  std::optional<PostId> before;  // entries below it, exclusive; downwards
  std::optional<PostId> after;   // entries nearest above it, exclusive; not with `before`
  std::uint32_t limit = limits::kPostPageDefault;
  Explain explain = Explain::kNo;
  std::optional<Policy> as_if;  // read as if this policy were in force
};

enum class Reason : std::uint8_t { kFollow, kSelf, kRepost };
enum class Source : std::uint8_t { kPushed, kPulled, kPending, kBackfilled, kBelowCap };

[[nodiscard]] std::string_view name(Reason reason);
[[nodiscard]] std::string_view name(Source source);

// A repost that a page folded into an item.
struct Reposter {
  PostId post;  // the repost
  Shared<AuthorCard> user;
  Time created_at;
};

// The parts of a score, each from 0 to 1 (docs/ranking.md).
struct ScoreParts {
  double recency = 0;
  double engagement = 0;
  double affinity = 0;
  double variety = 0;
};
struct Score {
  double total = 0;  // 0 to 1
  ScoreParts parts;
};

// An original, at the position of its newest entry on the page.
struct FeedItem {
  Shared<Post> post;
  Shared<AuthorCard> author;
  PostId entry{};                     // the newest: the post itself or a repost of it
  std::vector<Reposter> reposted_by;  // newest first, limits::kRepostersShown at most
  Reason reason = Reason::kFollow;    // why the newest entry is shown
  Source source = Source::kPulled;
  std::optional<Score> score;  // only in a ranked feed
  PostStats stats{};           // filled in by hydrate()
  SerializedPost printed{};    // valid as long as `post` and `author`
};

struct ReadCost {
  std::uint64_t sources = 0;   // timelines and author logs merged up to this page's end
  std::uint64_t examined = 0;  // entries shown, and one that shows that there is more
  std::uint64_t micros = 0;
  bool from_memory = false;  // served from memory, without a query to the store
};

// The work to do after a read has been answered.
enum class Upkeep : std::uint8_t {
  kNone,
  kBuild,     // there is no valid timeline, and one would help
  kNoteRead,  // this is the viewer's first read of the day
  kDrop,      // the viewer follows too many accounts to have a timeline
};

struct RefreshRequest {
  UserNumber viewer;
  PostId since;  // entries above it, exclusive
  std::uint32_t limit = limits::kPostPageDefault;
};

// The entries that are new since another.
struct Refreshed {
  std::uint32_t count = 0;      // different originals; counting stops at limits::kRefreshCountMax
  std::vector<FeedItem> items;  // the newest of them, with all counted reposts folded in
  Time refreshed_at;
};

// Full unless the feed has ended (or, upwards, its top is reached). An original occurs once. The
// page ends with the entry that makes its last item.
struct Page {
  std::vector<FeedItem> items;  // newest first
  // Down: the last entry consumed, empty at the end of the feed. Up: the oldest entry, or `after`
  // if the page has no entry.
  std::optional<PostId> next_cursor;
  std::optional<PostId> prev_cursor;  // the newest entry consumed, or else the request's cursor
  bool has_more = false;              // whether more entries are left in this direction
  Time generated_at;
  ReadCost cost;
  bool warm = true;  // false: no timeline was used, because none is valid or all authors are pulled
  std::optional<RankWeights> weights;  // weights of the parts of scores, if items have scores
  Upkeep upkeep = Upkeep::kNone;       // for Feeds::after_read
};

// Fills in the stats of all items. `snapshot` is the one the page was read from.
void hydrate(const ContentReader& snapshot, UserNumber viewer, std::span<FeedItem> items);

}  // namespace chirp::feed
