// `--bulk` of loads, and how far a bulk load of edges is, for people.
#pragma once

#include <string>
#include <string_view>

#include "cli/context.h"
#include "core/load/bulk.h"

namespace chirp::cli {

// Throws Error{kInvalidArgument} for another word.
[[nodiscard]] load::Bulk parse_bulk(const std::string& word);
// The same, and for `always` where the data is a database.
[[nodiscard]] load::Bulk bulk_of(const Context& context, const std::string& word);

[[nodiscard]] std::string_view words_of(BulkPhase phase);
// How much of a bulk load is done once it has read all, about: reading and sorting are a third.
[[nodiscard]] double share_of(const BulkProgress& reach);
// The message about another load that this one waits for.
[[nodiscard]] std::string words_of_waiting(std::string_view who);

}  // namespace chirp::cli
