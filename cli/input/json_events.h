// Objects from streams and open protocols that are not plain posts: deletions, other messages of a
// stream, events of nostr, commits of Bluesky.
#pragma once

#include <optional>
#include <vector>

#include "cli/input/ids.h"
#include "cli/input/json_fields.h"
#include "cli/input/json_objects.h"

namespace chirp::cli::input {

// Returns the contents of such an object. For a post it completes the fields and returns nothing.
[[nodiscard]] std::optional<std::vector<JsonObject>> event_of(JsonFields& fields, IdCells& ids);

// Returns the deletion of a post by its author, or an error if either is missing.
[[nodiscard]] JsonObject deletion(std::optional<SourceId> post, std::optional<SourceId> author);

}  // namespace chirp::cli::input
