// Counters, and the tiers and push-from marks that follow from them.
#pragma once

#include <span>
#include <vector>

#include "core/ports/rows.h"
#include "core/ports/steps.h"

namespace chirp::rules {

// Adds to the stored counters of users who are there, or who still have some; who crosses a bound
// of tiers gets another mark, and tier.changed is logged. By user, nobody twice.
void add_counters(Rows& rows, std::span<const CounterDelta> deltas);
void add_counters(Rows& rows, const CounterDelta& delta);
void put_counters(Rows& rows, ContentId content, const ContentCounters& counters);
void add_counters(Rows& rows, std::span<const ContentDelta> deltas);
void add_counters(Rows& rows, const ContentDelta& delta);
// Adds what may name one content several times.
void add_combined(Rows& rows, std::vector<ContentDelta> deltas);

// Gives the author, who is there, the tier that so many followers make.
void retier(Rows& rows, UserNumber author, std::int64_t followers);
void put_mark(Rows& rows, const feed::AuthorMark& mark);
[[nodiscard]] feed::AuthorMark mark_of(const Rows& rows, UserNumber author);

}  // namespace chirp::rules
