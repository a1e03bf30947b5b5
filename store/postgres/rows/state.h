// The state of the store that each commit records.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/store_state.h"
#include "store/postgres/rows/questions.h"

namespace chirp::postgres {

// A snapshot that is not queried for this long is refused (kUnavailable), because rows that it
// needs may be gone. Regular queries keep it alive.
inline constexpr std::chrono::seconds kSnapshotLives{30};
// Dead rows are swept this long after the commit that removed them was published.
inline constexpr std::chrono::seconds kSweepAfter{120};

struct StoredState : StoreState {
  std::int64_t follows = 0;  // number of edges, updated by each commit
  std::int64_t marks = 0;    // the newest commit that changed marks
  std::int64_t writer = 0;   // writer of this commit
  // For each group, from 1 on, the newest commit that wrote to it; empty in one database.
  std::vector<std::int64_t> touched{};
};

[[nodiscard]] std::string packed_state(const StoredState& state);
[[nodiscard]] StoredState unpack_state(std::string_view bytes, std::uint64_t number);
[[nodiscard]] SnapshotPoint point_of(const StoredState& state);

// Selects the newest commit.
inline constexpr std::string_view kNewest =
    "select n, marks, state, writer, touched from commits where published order by n desc limit 1";
[[nodiscard]] StoredState newest_in(const Result& result);
// The first event that fan-out or the counters have not processed, which readers merge.
[[nodiscard]] Sequence first_pending(const StoredState& state);

// Reads a user number from a column.
[[nodiscard]] inline UserNumber user_in(const Result& result, int row, int column) {
  return UserNumber{static_cast<std::uint32_t>(result.number(row, column))};
}

// A random number that identifies a writer or a reader across all processes.
[[nodiscard]] std::int64_t fresh_number();

}  // namespace chirp::postgres
