// What others did with the posts of a page, and whether the viewer reacted.
#pragma once

#include <span>

#include "core/feed/page.h"
#include "core/ports/snapshot.h"

namespace chirp::feed {

// Fills in the stats of all items at once. `snapshot` is the one the page was read from.
void hydrate(const ContentReader& snapshot, UserNumber viewer, std::span<FeedItem> items);

}  // namespace chirp::feed
