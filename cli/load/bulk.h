// `--bulk` of loads, and the progress of a bulk load of edges in words.
#pragma once

#include <string>
#include <string_view>

#include "cli/context.h"
#include "core/load/bulk.h"

namespace chirp::cli {

// Throws Error{kInvalidArgument} for any other word.
[[nodiscard]] load::Bulk parse_bulk(const std::string& word);
// The same. Also throws for `always` if the data is a database.
[[nodiscard]] load::Bulk bulk_of(const Context& context, const std::string& word);

[[nodiscard]] std::string_view words_of(BulkPhase phase);
// The approximate share of a bulk load that is done once it has read everything. Reading and
// sorting are a third.
[[nodiscard]] double share_of(const BulkProgress& reach);
// The message about another load that this one waits for.
[[nodiscard]] std::string words_of_waiting(std::string_view who);

}  // namespace chirp::cli
