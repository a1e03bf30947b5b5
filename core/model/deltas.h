// What an event changes of the counters of users, and of posts and comments: the one place that
// says so.
#pragma once

#include <vector>

#include "core/model/event.h"
#include "core/model/reaction.h"
#include "core/model/user.h"

namespace chirp::events {

// Appends one for each user counted otherwise after `event`: none, one or two.
void append_user_deltas(const Event& event, std::vector<CounterDelta>& deltas);
// Appends one for each post or comment counted otherwise after `event`: none or several.
void append_content_deltas(const Event& event, std::vector<ContentDelta>& deltas);

// By user, or content, none twice; those that come out even are left out.
void combine(std::vector<CounterDelta>& deltas);
void combine(std::vector<ContentDelta>& deltas);

}  // namespace chirp::events
