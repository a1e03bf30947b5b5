// How an author's posts reach readers, read from one state.
#pragma once

#include <cstdint>

#include "core/model/policy.h"
#include "core/ports/snapshot.h"

namespace chirp::feed {

// The delivery of the author's next post. Under the cost policy, fan-out evaluates the author again
// now and then, and may decide otherwise.
struct AuthorDelivery {
  Tier tier = Tier::kRegular;
  std::int64_t followers = 0;
  DeliveryMode how = DeliveryMode::kPush;
};
[[nodiscard]] AuthorDelivery delivery_of(const Snapshot& snapshot, UserNumber author);

// How an existing post is delivered.
enum class DeliveryState : std::uint8_t {
  kPending,  // fan-out has not finished with it
  kPushed,   // readers find it in their timelines
  kPulled,   // readers find it in the author's log
};
[[nodiscard]] DeliveryState arrival_of(const Snapshot& snapshot, PostId post, UserNumber author);

}  // namespace chirp::feed
