// Messages of a stream as server-sent events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/social/live.h"

namespace chirp::live {

// Each returns a whole block: its lines and the final blank line. `digest` is that of the message's
// event.
[[nodiscard]] std::string block_of(const social::LiveMessage& message, std::uint32_t digest);
[[nodiscard]] std::string block_of(const social::PostCount& count);
// Returns a comment block; with an id, a reader who reconnects continues from there.
[[nodiscard]] std::string heartbeat(std::optional<std::string> id);

// Returns the event name: `post`, `post_removed`, `notification`.
[[nodiscard]] std::string_view name(const social::LiveMessage& message);
inline constexpr std::string_view kCounts = "counts";

}  // namespace chirp::live
