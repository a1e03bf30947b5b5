// Timelines: a head of newest entries, to which deliveries are prepended without reading it, and
// older entries in parts.
//
// Entries are stored in runs, each newest first. The runs of a head are in no order, and an id may
// be in several. The head's last run was written with the parts, and the parts are all older.
// Entries below complete_from are not stored. A transaction that finds a grown head or a timeline
// over its cap compacts it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/far/written.h"
#include "core/model/timeline.h"
#include "store/postgres/rows/questions.h"

namespace chirp::postgres {

[[nodiscard]] std::string timelines_schema();

struct StoredTimeline {
  Timeline timeline;
  std::int64_t since = 0;  // number of the commit that wrote the whole timeline
  // All stored entries from this id on are included; kBelowAllPosts for a whole timeline.
  PostId known_from = kBelowAllPosts;
};

// Finds the heads of the viewers that have a timeline.
void find_heads(Questions& questions, const std::vector<UserNumber>& viewers,
                std::function<void(std::map<UserNumber, TimelineHead>)> then);
// Finds the entries in the viewer's head; it is complete from some id on.
void find_newest(Questions& questions, UserNumber viewer,
                 std::function<void(std::optional<StoredTimeline>)> then);
// Finds a whole timeline.
void find_timeline(Questions& questions, UserNumber viewer,
                   std::function<void(std::optional<StoredTimeline>)> then);

// Writes a batch's changes to timelines; `number` is the batch's commit.
void write_timelines(Writes& writes, const Placing& placing,
                     const std::map<UserNumber, far::WrittenTimeline>& written, std::uint32_t cap,
                     std::int64_t number);

// ---- timelines that deliveries made too long, compacted in the same transaction

// The viewers, from the result of a Write that delivers.
[[nodiscard]] std::vector<UserNumber> too_long_in(const Result& delivered);
// Queries the whole timelines.
[[nodiscard]] GroupQuery whole_timelines(Group group, const std::vector<UserNumber>& viewers);
// Rewrites the timelines in that result.
void put_anew(Writes& writes, Group group, const Result& whole, std::uint32_t cap);

}  // namespace chirp::postgres
