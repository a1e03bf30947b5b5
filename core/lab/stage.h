// Prepares a copy of a directory for a replay: the past without the day, a policy, and timelines of
// recent readers. Never use it on a directory in use.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/lab/read_model.h"
#include "core/model/policy.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"

namespace chirp::lab {

// Removes posts, reposts and comments with ids from `from` on, all timelines, tiers and marks: then
// everything is pulled, and all authors are regular. Live ids continue from `from`, which must be
// the clock's time.
void clear_from(Storage& storage, const Clock& clock, Time from);

// Applies a policy with its marks and tiers, as if it had been set long ago. Applies all of
// `settings`; retires finite marks unless the policy is pull.
void settle_policy(Storage& storage, const Clock& clock, const feed::FeedSettings& settings);

// Builds the timelines of users who read within `active_days` of the clock by the model, each with
// the day of that read. Calls `done` with the number of users processed. Returns the number of
// timelines.
std::uint64_t build_timelines(Storage& storage, const Clock& clock, const ReadModel& model,
                              const std::function<void(std::uint64_t users)>& done);

}  // namespace chirp::lab
