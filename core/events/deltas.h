// What an event changes of the counters of posts and comments.
#pragma once

#include <vector>

#include "core/events/event.h"
#include "core/model/reaction.h"

namespace chirp::events {

// Appends one for each post or comment counted otherwise after `event`: none or several.
void append_content_deltas(const Event& event, std::vector<ContentDelta>& deltas);

// By content, none twice; those that come out even are left out.
void combine(std::vector<ContentDelta>& deltas);

}  // namespace chirp::events
