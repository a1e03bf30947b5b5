// All that a store shows its readers, held against the definition.
#pragma once

#include <string>

#include "core/feed/home_feed.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"

namespace chirp::test {

// The first thing that is wrong, or nothing: the invariants of a state (storage_contract.h), every
// user's list of posts, and the newest page of every feed, by every policy and out of a memory.
[[nodiscard]] std::string first_wrong_shown(const Storage& storage, const Clock& clock,
                                            feed::PageMemory* memory = nullptr);

}  // namespace chirp::test
