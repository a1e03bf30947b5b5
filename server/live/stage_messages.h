// The stage's messages as server-sent events, each a whole block.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>

#include "core/events/delivery_report.h"
#include "core/feed/delivery.h"
#include "core/feed/page.h"
#include "core/model/event.h"
#include "core/model/user.h"
#include "core/ports/store_state.h"
#include "server/engine/deliveries.h"

namespace chirp::live {

// Pages of home feeds read since the last message, without their readers.
struct StageReads {
  std::uint64_t pages = 0;
  std::uint64_t posts = 0;
  std::uint64_t sources = 0;
  std::uint64_t examined = 0;
  std::uint64_t micros = 0;
  std::uint64_t from_memory = 0;             // pages
  std::array<std::uint64_t, 5> by_source{};  // posts

  void add(const feed::Page& page);
};

[[nodiscard]] std::string state_block(const feed::FeedSettings& settings);
[[nodiscard]] std::string queue_block(const StoreState& state);
// Returns the block for a public post or repost in the log.
[[nodiscard]] std::string post_block(const events::Event& event, const AuthorCard& author,
                                     const feed::AuthorDelivery& delivery);
// Returns the block for a delivery turn: its total of timeline entries, and its posts in `shown`.
[[nodiscard]] std::string delivery_block(const events::DeliveryReport& report,
                                         const std::set<PostId>& shown);
// Returns the block for a post whose delivery is complete.
[[nodiscard]] std::string done_block(PostId post, const DeliveryRecord& record);
[[nodiscard]] std::string reads_block(const StageReads& reads);

}  // namespace chirp::live
