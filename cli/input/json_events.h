// Objects of streams and of open protocols that are not posts by themselves: deletions, messages of
// a stream, events of nostr, commits of Bluesky.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cli/input/ids.h"
#include "cli/input/json_fields.h"
#include "cli/input/json_objects.h"

namespace chirp::cli::input {

// Returns the contents of such an object. For a post it completes the fields and returns nothing.
[[nodiscard]] std::optional<std::vector<JsonObject>> event_of(JsonFields& fields, IdCells& ids);

// Returns the counter for a nostr event of a kind that is not loaded. Private kinds are never read.
[[nodiscard]] LeftOut left_out_kind(std::uint64_t kind);

}  // namespace chirp::cli::input
