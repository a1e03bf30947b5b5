// The progress of the delivery of one post or repost.
#pragma once

#include <cstdint>

namespace chirp {

struct DeliveryRecord {
  enum class Stage : std::uint8_t {
    kDelivering,  // some timelines have it, others not yet
    kDelivered,   // nothing is left to deliver
    kFetched,     // not delivered (any more): readers fetch it from its author's log
  };
  Stage stage = Stage::kDelivering;
  std::uint64_t timelines = 0;  // timelines that got it so far
  std::int64_t took_ms = 0;     // from when it was written to the end of its last turn so far
  std::int64_t work_ns = 0;     // its share of the turns' time, by timelines
};

}  // namespace chirp
