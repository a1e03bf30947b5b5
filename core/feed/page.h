// A page of a home feed: what is asked for and what comes back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/feed/post_stats.h"
#include "core/feed/printer.h"
#include "core/limits.h"
#include "core/model/policy.h"
#include "core/model/post.h"
#include "core/model/rank_weights.h"
#include "core/model/shared.h"
#include "core/model/user.h"

namespace chirp::feed {

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

// One of the reposts that a page folded into an item.
struct Reposter {
  PostId post;  // the repost
  Shared<AuthorCard> user;
  Time created_at;
};

// What a score is made of, each from 0 to 1 (docs/ranking.md).
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

// An original, at the place of its newest entry on the page.
struct FeedItem {
  Shared<Post> post;
  Shared<AuthorCard> author;
  PostId entry{};                     // the newest: the post itself or a repost of it
  std::vector<Reposter> reposted_by;  // newest first, limits::kRepostersShown at most
  Reason reason = Reason::kFollow;    // of the newest entry, like the next
  Source source = Source::kPulled;
  std::optional<Score> score;  // of a ranked feed
  PostStats stats{};           // filled in by hydrate()
  Printed printed{};           // there as long as `post` and `author`
};

struct ReadCost {
  std::uint64_t sources = 0;   // timelines and author logs merged to come so far
  std::uint64_t examined = 0;  // entries that the viewer may see: shown, or one that tells of more
  std::uint64_t micros = 0;
  bool from_memory = false;  // the process held all of it, so that the store was not asked
};

// What a read leaves to be done once it is answered.
enum class Upkeep : std::uint8_t {
  kNone,
  kBuild,     // there is no valid timeline, and one would serve
  kNoteRead,  // the viewer has not read on this day yet
  kDrop,      // the viewer follows too many by now to be kept a timeline
};

struct RefreshRequest {
  UserNumber viewer;
  PostId since;  // entries above it, exclusive
  std::uint32_t limit = limits::kPostPageDefault;
};

// What is new above an entry.
struct Refreshed {
  std::uint32_t count = 0;      // different originals; counting stops at limits::kRefreshCountMax
  std::vector<FeedItem> items;  // the newest of them, with all that was counted folded in
  Time refreshed_at;
};

// Full unless the feed has ended (or, upwards, its top is reached). An original stands in it once;
// the page stops with the entry that makes its last item.
struct Page {
  std::vector<FeedItem> items;        // newest first
  std::optional<PostId> next_cursor;  // down: the last entry consumed, empty at the end of the
                                      // feed; up: the oldest entry, or `after` if there is none
  std::optional<PostId>
      prev_cursor;        // the newest entry consumed; of none, the cursor that was sent
  bool has_more = false;  // whether an entry is left below or, upwards, above
  Time generated_at;
  ReadCost cost;
  bool warm = true;  // false: no timeline was walked, since none is valid or everything is pulled
  std::optional<RankWeights> weights;  // of the parts of scores, where items have any
  Upkeep upkeep = Upkeep::kNone;       // for Feeds::after_read
};

}  // namespace chirp::feed
