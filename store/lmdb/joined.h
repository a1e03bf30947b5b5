// Reads from several tables, or of many rows in one walk; see core/ports/snapshot.h.
#pragma once

#include <span>
#include <vector>

#include "core/ports/snapshot.h"
#include "store/lmdb/batch.h"
#include "store/lmdb/uncounted.h"

namespace chirp::lmdb {

// Whether there is such a user without a mark of removal.
[[nodiscard]] bool is_kept(const Txn& txn, UserNumber number);
// Returns the table of the log for posts of this level.
[[nodiscard]] Table log_of(Privacy level);
// Returns the merged logs of many authors. Logs contain no posts: an author's newest entries are
// one short range, so merging hundreds of logs reads few pages.
[[nodiscard]] std::vector<Entry> merged_logs(const Txn& txn, const StoreState& state,
                                             const LogsOf& logs, IdRange range, Direction direction,
                                             std::uint32_t limit);
// Returns stored plus pending counts, one for each user.
[[nodiscard]] std::vector<UserCounters> read_counters(const Txn& txn, const StoreState& state,
                                                      Uncounted& uncounted,
                                                      std::span<const UserNumber> numbers);
[[nodiscard]] std::vector<ContentCounters> read_content_counters(
    const Txn& txn, const StoreState& state, Uncounted& uncounted,
    std::span<const ContentId> contents);
[[nodiscard]] std::vector<ViewerRelation> read_bonds(const Txn& txn, const StoreState& state,
                                                     UserNumber viewer,
                                                     std::span<const UserNumber> others);
// Returns the marks of `authors` (ascending) with a push-from id.
[[nodiscard]] std::vector<feed::AuthorMark> read_pulled(const Txn& txn,
                                                        std::span<const UserNumber> authors);

}  // namespace chirp::lmdb
