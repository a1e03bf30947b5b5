// Idempotency keys: stored as digests, and read only by writers.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/far/known.h"
#include "core/far/written.h"
#include "store/postgres/rows/questions.h"

namespace chirp::postgres {

[[nodiscard]] std::string keys_schema();

// Creation times of stale keys: for each group the oldest, up to a limit.
using StaleTimes = std::map<StaleRequests, std::map<Group, std::vector<std::int64_t>>>;

// Queries the missing keys. `known` and `times` must live until all answers are in.
void find_keys(Questions& questions, const far::MissingRows& lacked, far::Known& known,
               StaleTimes& times);
// Writes a batch's changes to keys. Across all groups, the oldest stale keys are deleted first.
void write_keys(Writes& writes, const Placing& placing, const far::Written& written, Time now,
                const StaleTimes& times);

inline constexpr std::string_view kOldestKey =
    "select min(since) from keys t where true /*and t.b = bucket*/";
inline constexpr std::string_view kHasKeys =
    "select exists (select 1 from keys t where usr = $1::int4 /*and t.b = bucket*/)";

}  // namespace chirp::postgres
