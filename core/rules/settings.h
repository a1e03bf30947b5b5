// Settings of feeds, and what keeps the store small.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/model/policy.h"
#include "core/ports/rows.h"

namespace chirp::rules {

// A new policy moves P0 and the marks, a lower cap trims timelines as they are next written. New
// bounds of tiers hold from now on for whoever wins or loses followers; that all others have yet to
// be asked is noted (settle_tiers). False if nothing is another than it was.
[[nodiscard]] bool change_settings(Rows& rows, const feed::FeedSettings& settings);
// Among the plain settings, and nobody's to set: the first user of whom new bounds of tiers have
// yet to be asked.
inline constexpr std::string_view kTiersDue = "tiers.due";
// That user; empty if everybody has the tier that the bounds in force make. What is no number
// stands for all users: to ask them once more changes nothing.
[[nodiscard]] std::optional<UserNumber> tiers_due(const RowReader& rows);
// Notes it.
void note_tiers_due(Rows& rows, UserNumber first);
// Gives the next `users` users of whom something is counted the tiers that new bounds make, and
// notes how far it has come; what is noted goes with the last of them. Which tier somebody has is
// of no effect on any page, so users may wait for theirs. False if nobody waits. `users` > 0.
[[nodiscard]] bool settle_tiers(Rows& rows, std::uint32_t users);
// A push-from mark that a change of policy has left: everybody finds what is older in the logs.
[[nodiscard]] constexpr bool is_finite(PostId push_from) {
  return push_from != feed::kAlwaysPushed && push_from != feed::kNeverPushed;
}
// Moves the finite push-from marks of `authors` to 0, where P0 is at least as high: there they move
// nothing. False if there is none.
[[nodiscard]] bool retire_covered(Rows& rows, std::span<const UserNumber> authors);
// The same of `authors` wherever they stand and of P0, and the generation up by one, so that all
// timelines are rebuilt.
void retire_marks(Rows& rows, std::span<const UserNumber> authors);
// Drops events older than `before` that every consumer has, at most `limit`. The number dropped.
[[nodiscard]] std::uint64_t trim_log(Rows& rows, Time before, std::uint32_t limit);
// Keeps how far the home feed has been read, up or down from where it was.
enum class Marked : std::uint8_t { kMoved, kAlready, kNobody };
[[nodiscard]] Marked mark_feed(Rows& rows, UserNumber user, PostId up_to);
// Forgets the events there are, so that what happens next comes after `last`. False, and nothing
// changed, if it does so already. For a store that nobody is in, to whom they could mean anything.
[[nodiscard]] bool continue_log(Rows& rows, Sequence last);
// Keeps that the user has read of everything up to and including `up_to`, the last event of the log
// at most. False if that is so already or the user is not present.
[[nodiscard]] bool mark_notified(Rows& rows, UserNumber user, Sequence up_to);

}  // namespace chirp::rules
