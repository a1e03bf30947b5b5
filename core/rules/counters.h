// Counters, and the tiers and push-from marks that depend on them.
#pragma once

#include <span>
#include <vector>

#include "core/ports/rows.h"
#include "core/ports/steps.h"

namespace chirp::rules {

// Adds to the stored counters of users who are present or still have some. Authors who cross a
// bound get another tier and mark, and tier.changed is logged. Sorted by user, unique.
void add_counters(Rows& rows, std::span<const CounterDelta> deltas);
void add_counters(Rows& rows, const CounterDelta& delta);
void put_counters(Rows& rows, ContentId content, const ContentCounters& counters);
void add_counters(Rows& rows, std::span<const ContentDelta> deltas);
void add_counters(Rows& rows, const ContentDelta& delta);
// Adds deltas that may name a content several times.
void add_combined(Rows& rows, std::vector<ContentDelta> deltas);

// Sets an existing author's tier by the number of followers.
void retier(Rows& rows, UserNumber author, std::int64_t followers);
void put_mark(Rows& rows, const feed::AuthorMark& mark);
[[nodiscard]] feed::AuthorMark mark_of(const Rows& rows, UserNumber author);

}  // namespace chirp::rules
