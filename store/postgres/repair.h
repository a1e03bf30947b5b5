// Repairs what can be derived from the records: indexes, the reverse direction of edges, marks,
// counts.
#pragma once

#include <cstdint>

#include "core/ports/storage.h"

namespace chirp::postgres {

// Repairs all but the number of follows, which only the store knows. Returns how many rows.
[[nodiscard]] std::uint64_t repair_rows(Storage& storage, Time now);

}  // namespace chirp::postgres
