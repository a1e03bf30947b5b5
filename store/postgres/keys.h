// Idempotency keys: kept as digests, and read by writers alone.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/far/known.h"
#include "core/far/written.h"
#include "store/postgres/questions.h"

namespace chirp::postgres {

[[nodiscard]] std::string keys_schema();

// Since when each of what is stale is kept, in each group the oldest, up to a limit.
using StaleTimes = std::map<StaleRequests, std::map<Group, std::vector<std::int64_t>>>;

// Answers what a run has lacked of them. `known` and `times` stay until all is asked.
void find_keys(Questions& questions, const far::Lacked& lacked, far::Known& known,
               StaleTimes& times);
// What a batch has made of them, with what was found for it. Of all groups together the oldest are
// forgotten first.
void write_keys(Writes& writes, const Placing& placing, const far::Written& written, Time now,
                const StaleTimes& times);

inline constexpr std::string_view kOldestKey =
    "select min(since) from keys t where true /*and t.b = bucket*/";
inline constexpr std::string_view kHasKeys =
    "select exists (select 1 from keys t where usr = $1::int4 /*and t.b = bucket*/)";

}  // namespace chirp::postgres
