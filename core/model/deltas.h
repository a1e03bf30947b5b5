// How an event changes the counters of users, posts and comments: the only place that defines it.
#pragma once

#include <vector>

#include "core/model/event.h"
#include "core/model/reaction.h"
#include "core/model/user.h"

namespace chirp::events {

// Appends a delta for each user whose counters the event changes: none, one or two.
void append_user_deltas(const Event& event, std::vector<CounterDelta>& deltas);
// Appends a delta for each post or comment whose counters the event changes: none or several.
void append_content_deltas(const Event& event, std::vector<ContentDelta>& deltas);

// Sorts by user or content and merges deltas of the same one. Leaves out those that are zero.
void combine(std::vector<CounterDelta>& deltas);
void combine(std::vector<ContentDelta>& deltas);

}  // namespace chirp::events
