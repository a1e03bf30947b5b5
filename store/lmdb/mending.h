// Putting rows right in steps, each a short transaction, so that no other writer waits for a repair
// of all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "store/lmdb/indexes.h"

namespace chirp::lmdb {

// Rows, or edges, that a step looks at: where all of them are wrong, what is put right lies apart.
inline constexpr std::size_t kMendedRows = 250;

// What a step did, and the key it came to; no key at the end of its table.
struct Mended {
  std::uint64_t rows = 0;
  std::optional<std::string> reached;
};
// Looks at rows above a key (from the first, if it is empty) and puts right what they tell. Steps
// are independent: others may write between them.
using MendingStep = std::function<Mended(Batch&, const std::string& after)>;

using Look = std::function<void(const Txn&, const Item&, Wanted&)>;
[[nodiscard]] MendingStep mend_by(Table table, Look look);

// The first row above `after`.
[[nodiscard]] std::optional<Item> first_above(Cursor& cursor, const std::string& after);
// Visits rows above `after` until those visited weigh kMendedRows; `visit` says what one weighs.
// The last key seen; nothing at the end of the table.
[[nodiscard]] std::optional<std::string> visit_some(
    const Txn& txn, Table table, const std::string& after,
    const std::function<std::size_t(const Item&)>& visit);

}  // namespace chirp::lmdb
