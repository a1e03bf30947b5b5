// The result of a turn of fan-out, for displays that follow it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/model/ids.h"

namespace chirp::events {

// The deliveries of one post or repost.
struct PostDeliveries {
  PostId post;
  UserNumber author;
  std::uint64_t timelines = 0;  // that got it

  bool operator==(const PostDeliveries&) const = default;
};

struct DeliveryReport {
  std::vector<PostDeliveries> delivered;  // in this turn, by post; none without a timeline
  std::vector<PostId> finished;           // complete: this turn delivered the last of these
  // not delivered any further: readers find these in their authors' logs
  std::vector<PostId> fetched;
  std::int64_t took_ns = 0;  // of the turn, including its commit, but without the wait for it
};

using DeliveryObserver = std::function<void(const DeliveryReport&)>;

}  // namespace chirp::events
