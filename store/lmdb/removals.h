// Removals in steps: what hangs on removed posts and comments, and everything of a removed user.
#pragma once

#include <cstdint>

#include "core/model/ids.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

// Notes that something hangs on a post or comment that has just been removed, if it does.
void queue_removal(Batch& batch, ContentId content);
// See Storage::remove_post_traces.
[[nodiscard]] bool remove_some_post_traces(Batch& batch, std::uint32_t rows);

// See Storage::remove_traces.
[[nodiscard]] bool remove_some_traces(Batch& batch, UserNumber user, std::uint32_t rows);

}  // namespace chirp::lmdb
