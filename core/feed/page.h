// A page of a home feed: what is asked for and what comes back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/feed/policy.h"
#include "core/limits.h"
#include "core/model/post.h"
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

enum class Reason : std::uint8_t { kFollow, kSelf };
enum class Source : std::uint8_t { kPushed, kPulled, kPending, kBackfilled, kBelowCap };

[[nodiscard]] std::string_view name(Reason reason);
[[nodiscard]] std::string_view name(Source source);

struct FeedItem {
  Post post;
  AuthorCard author;
  Reason reason = Reason::kFollow;
  Source source = Source::kPulled;
};

struct ReadCost {
  std::uint64_t sources = 0;   // timelines and author logs merged
  std::uint64_t examined = 0;  // entries looked at, shown or not
  std::uint64_t micros = 0;
};

// What a read leaves to be done once it is answered.
enum class Upkeep : std::uint8_t {
  kNone,
  kBuild,     // there is no valid timeline, and one would serve
  kNoteRead,  // the viewer has not read on this day yet
  kDrop,      // the viewer follows too many by now to be kept a timeline
};

// Full unless the feed has ended (or, upwards, its top is reached).
struct Page {
  std::vector<FeedItem> items;        // newest first
  std::optional<PostId> next_cursor;  // down: the last entry consumed, empty at the end of the
                                      // feed; up: the oldest entry, or `after` if empty
  std::optional<PostId> prev_cursor;  // the newest entry; if empty, the cursor that was sent
  bool has_more = false;              // below or, upwards, above
  Time generated_at;
  ReadCost cost;
  bool warm = true;               // false: the viewer had no valid timeline
  Upkeep upkeep = Upkeep::kNone;  // for Feeds::after_read
};

}  // namespace chirp::feed
