// Idempotency keys: kept as digests, and read by writers alone.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/far/known.h"
#include "core/far/written.h"
#include "store/postgres/questions.h"

namespace chirp::postgres {

[[nodiscard]] std::string keys_schema();

// Answers what a run has lacked of them. `known` stays until all is asked.
void find_keys(Questions& questions, const far::Lacked& lacked, far::Known& known);
// Queues what a batch has made of them.
void write_keys(Connection& connection, const far::Written& written, Time now);

inline constexpr std::string_view kOldestKey = "select min(since) from keys";
inline constexpr std::string_view kHasKeys =
    "select exists (select 1 from keys where usr = $1::int4)";

}  // namespace chirp::postgres
