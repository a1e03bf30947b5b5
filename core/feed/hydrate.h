// Counters of a page's posts, and the viewer's own reactions.
#pragma once

#include <span>

#include "core/feed/page.h"
#include "core/ports/snapshot.h"

namespace chirp::feed {

// Fills in the stats of all items. `snapshot` is the one the page was read from.
void hydrate(const ContentReader& snapshot, UserNumber viewer, std::span<FeedItem> items);

}  // namespace chirp::feed
