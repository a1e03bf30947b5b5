// Objects of streams and of open protocols that are not posts by themselves: deletions, messages of
// a stream, events of nostr, commits of Bluesky.
#pragma once

#include <optional>
#include <vector>

#include "cli/input/ids.h"
#include "cli/input/json_fields.h"
#include "cli/input/json_objects.h"

namespace chirp::cli::input {

// Returns what such an object is. Empty for a post, whose fields are completed then.
[[nodiscard]] std::optional<std::vector<JsonObject>> event_of(JsonFields& fields, IdCells& ids);

}  // namespace chirp::cli::input
