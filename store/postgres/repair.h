// Puts right what can be told from the records: indexes, the reverse direction of edges, marks,
// counts.
#pragma once

#include <cstdint>

#include "core/ports/storage.h"

namespace chirp::postgres {

// All but the number of follows, which the store alone knows. The number of rows put right.
[[nodiscard]] std::uint64_t repair_rows(Storage& storage, Time now);

}  // namespace chirp::postgres
