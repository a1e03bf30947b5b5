// What became of the delivery of one post or repost.
#pragma once

#include <cstdint>

namespace chirp {

struct DeliveryRecord {
  enum class Stage : std::uint8_t {
    kDelivering,  // some have it, others not yet
    kDelivered,   // nothing is left to be delivered
    kFetched,     // nothing is delivered, or no more of it: readers find it in its author's log
  };
  Stage stage = Stage::kDelivering;
  std::uint64_t timelines = 0;  // that took it in so far
  std::int64_t took_ms = 0;     // from its writing to the end of its last turn so far
  std::int64_t work_ns = 0;     // its share of the turns, by timelines
};

}  // namespace chirp
