// How the posts of an author come to their readers, out of one state.
#pragma once

#include <cstdint>

#include "core/model/policy.h"
#include "core/ports/snapshot.h"

namespace chirp::feed {

// What is in force for the next post of an author. Under the cost policy fan-out weighs the author
// again now and then, and may decide otherwise.
struct AuthorDelivery {
  Tier tier = Tier::kRegular;
  std::int64_t followers = 0;
  Delivery how = Delivery::kPush;
};
[[nodiscard]] AuthorDelivery delivery_of(const Snapshot& snapshot, UserNumber author);

// How a post stands that is there.
enum class Arrival : std::uint8_t {
  kPending,  // fan-out has yet to come to it, or to end with it
  kPushed,   // readers find it in their timelines
  kPulled,   // readers find it in the log of its author
};
[[nodiscard]] Arrival arrival_of(const Snapshot& snapshot, PostId post, UserNumber author);

}  // namespace chirp::feed
