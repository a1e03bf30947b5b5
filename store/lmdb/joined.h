// What is read of several tables at once, or of many rows in one walk; see core/ports/snapshot.h.
#pragma once

#include <span>
#include <vector>

#include "core/ports/snapshot.h"
#include "store/lmdb/batch.h"
#include "store/lmdb/uncounted.h"

namespace chirp::lmdb {

// True if there is such a user and no mark of removal.
[[nodiscard]] bool is_kept(const Txn& txn, UserNumber number);
// Returns the table of the log for posts of this level.
[[nodiscard]] Table log_of(Privacy level);
// The logs of many authors merged. They hold no posts: an author's newest are one short range, and
// a merge of hundreds of logs stays in a few pages.
[[nodiscard]] std::vector<Entry> merged_logs(const Txn& txn, const StoreState& state,
                                             const LogsOf& logs, IdRange range, Direction direction,
                                             std::uint32_t limit);
// What is stored and what is pending, one for each.
[[nodiscard]] std::vector<UserCounters> read_counters(const Txn& txn, const StoreState& state,
                                                      Uncounted& uncounted,
                                                      std::span<const UserNumber> numbers);
[[nodiscard]] std::vector<ContentCounters> read_content_counters(
    const Txn& txn, const StoreState& state, Uncounted& uncounted,
    std::span<const ContentId> contents);
[[nodiscard]] std::vector<Bond> read_bonds(const Txn& txn, const StoreState& state,
                                           UserNumber viewer, std::span<const UserNumber> others);
// Marks with a push-from of their own, of the authors given (ascending).
[[nodiscard]] std::vector<feed::AuthorMark> read_pulled(const Txn& txn,
                                                        std::span<const UserNumber> authors);

}  // namespace chirp::lmdb
