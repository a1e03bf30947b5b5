// What a turn of fan-out has done, for who shows it while it happens.
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
  std::uint64_t timelines = 0;  // that took it in

  bool operator==(const PostDeliveries&) const = default;
};

struct DeliveryReport {
  std::vector<PostDeliveries> delivered;  // in this turn, by post; none without a timeline
  std::vector<PostId> finished;  // nothing more will be delivered of these: this turn was the last
  std::vector<PostId> fetched;   // nor of these, which readers find in their authors' logs
  std::int64_t took_ns = 0;      // the turn, its commit included and the wait for it not
};

using DeliveryObserver = std::function<void(const DeliveryReport&)>;

}  // namespace chirp::events
