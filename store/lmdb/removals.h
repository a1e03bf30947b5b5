// Removals in steps: what hangs on removed posts and comments, and everything of a removed user.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/model/ids.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

// Notes that something hangs on a post or comment that has just been removed, if it does.
void queue_removal(Batch& batch, ContentId content);
// See Storage::remove_post_traces.
[[nodiscard]] bool remove_some_post_traces(Batch& batch, std::uint32_t rows);

// See Snapshot::traces_of.
[[nodiscard]] std::vector<std::string_view> traces_of(const Txn& txn, UserNumber user);
// Lists somebody marked as removed among the unfinished removals. False if they are not marked, or
// listed already.
bool take_up_removal(Batch& batch, UserNumber user);
// See Storage::remove_traces.
[[nodiscard]] bool remove_some_traces(Batch& batch, UserNumber user, std::uint32_t rows);

}  // namespace chirp::lmdb
