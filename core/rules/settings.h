// Settings of feeds, and what keeps the store small.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/model/policy.h"
#include "core/ports/rows.h"

namespace chirp::rules {

// A new policy moves P0 and the marks. A lower cap trims timelines at their next write. New bounds
// of tiers apply at once to authors who gain or lose followers; settle_tiers() must update all
// others, and this is noted. Returns false if nothing changes.
[[nodiscard]] bool change_settings(Rows& rows, const feed::FeedSettings& settings);
// An internal plain setting: the first user whose tier may not match the bounds yet.
inline constexpr std::string_view kTiersDue = "tiers.due";
// Returns that user; empty if all tiers match the bounds. An invalid value means all users, because
// updating them again is harmless.
[[nodiscard]] std::optional<UserNumber> tiers_due(const RowReader& rows);
void note_tiers_due(Rows& rows, UserNumber first);
// Updates the tiers of the next `users` users with counters, and notes the progress; deletes the
// note after the last one. Tiers do not affect pages, so this may come late. Returns false if no
// user is left. `users` > 0.
[[nodiscard]] bool settle_tiers(Rows& rows, std::uint32_t users);
// Whether a change of policy has left this mark: older posts are found in the logs.
[[nodiscard]] constexpr bool is_finite(PostId push_from) {
  return push_from != feed::kAlwaysPushed && push_from != feed::kNeverPushed;
}
// Moves the finite push-from marks of `authors` to 0 if P0 is at least as high, so that they have
// no effect. Returns false if no mark was moved.
[[nodiscard]] bool retire_covered(Rows& rows, std::span<const UserNumber> authors);
// Moves all finite marks of `authors` and P0, and raises the generation, so that all timelines are
// rebuilt.
void retire_marks(Rows& rows, std::span<const UserNumber> authors);
// Drops at most `limit` events older than `before` that all consumers have processed. Returns how
// many.
[[nodiscard]] std::uint64_t trim_log(Rows& rows, Time before, std::uint32_t limit);
// Stores how far the home feed has been read; it may move in both directions.
enum class MarkResult : std::uint8_t { kMoved, kAlready, kNobody };
[[nodiscard]] MarkResult mark_feed(Rows& rows, UserNumber user, PostId up_to);
// Drops all events, so that the next one comes after `last`. Returns false if that is already so.
// Only for a store without users, to whom these events could matter.
[[nodiscard]] bool continue_log(Rows& rows, Sequence last);
// Marks notifications as read up to and including `up_to`, at most the last event of the log.
// Returns false if nothing changes or the user is not present.
[[nodiscard]] bool mark_notified(Rows& rows, UserNumber user, Sequence up_to);

}  // namespace chirp::rules
