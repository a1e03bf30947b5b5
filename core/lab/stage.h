// What makes a copy of a directory ready for a day: the past without the day, a policy, and the
// timelines of who has read lately. Nothing of this is for a directory that anybody uses.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/lab/read_model.h"
#include "core/model/policy.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"

namespace chirp::lab {

// Takes away posts, reposts and comments with ids from `from` on, all timelines, and the tiers and
// marks that former policies have left: everything is pulled then, and nobody is more than regular.
// Live ids go on from `from`, which must be the time of the clock.
void clear_from(Storage& storage, const Clock& clock, Time from);

// Puts a policy in force, with its marks and tiers, as if it had been so for long. Of `settings`
// all is taken; of a policy but pull, finite marks are retired.
void settle_policy(Storage& storage, const Clock& clock, const feed::FeedSettings& settings);

// Builds the timelines of all who read within `active_days` of the clock by the model, each with
// the day of that read. `done` hears of users that have been asked. How many timelines there are.
std::uint64_t build_timelines(Storage& storage, const Clock& clock, const ReadModel& model,
                              const std::function<void(std::uint64_t users)>& done);

}  // namespace chirp::lab
