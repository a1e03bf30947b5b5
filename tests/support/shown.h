// Compares all that a store shows its readers with the definition.
#pragma once

#include <string>

#include "core/feed/home_feed.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"

namespace chirp::test {

// Returns the first error, or empty. Checks the invariants of a state (storage_contract.h), every
// user's list of posts, and the newest page of every feed, under every policy and from a cache.
[[nodiscard]] std::string first_wrong_shown(const Storage& storage, const Clock& clock,
                                            feed::PageMemory* memory = nullptr);

}  // namespace chirp::test
