// Messages of a stream as they go over the wire: server-sent events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/social/live.h"

namespace chirp::live {

// Each returns a whole block: its lines and the blank line that ends it. `digest` is that of the
// event behind the message.
[[nodiscard]] std::string block_of(const social::LiveMessage& message, std::uint32_t digest);
[[nodiscard]] std::string block_of(const social::PostCount& count);
// A comment; with an id, readers come back to there.
[[nodiscard]] std::string heartbeat(std::optional<std::string> id);

// The event of a block: `post`, `post_removed`, `notification`.
[[nodiscard]] std::string_view name(const social::LiveMessage& message);
inline constexpr std::string_view kCounts = "counts";

}  // namespace chirp::live
