// Rules that every stored row obeys, whatever its origin. Imports check the rows of an export
// before storing them, and doctor checks the stored rows. Each function returns what is wrong with
// the row, or empty. Pure functions, safe from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/model/comment.h"
#include "core/model/ids.h"
#include "core/model/post.h"
#include "core/model/time.h"

namespace chirp::rules {

// Clocks of two machines differ. Times in an export may be this much later than this machine's
// clock.
inline constexpr std::int64_t kOtherClockMs = 5 * std::int64_t{60'000};
// After a clock was set back, stored ids and times are later than the clock. This is valid: new ids
// are above them. But a time more than ten years ahead never comes from a clock.
inline constexpr std::int64_t kOwnClockMs = 3'653 * std::int64_t{86'400'000};
// No log has this many events, so a greater number was not reached by counting.
inline constexpr Sequence kEventsMax{std::uint64_t{1} << 48};

// The id of a user, post or comment contains its time of creation. New ids are above all existing
// ones, so an id with a late time uses up the ids below it.
[[nodiscard]] std::optional<std::string> id_problem(std::uint64_t id, Time latest);
// `what` is the name of the time, for the message.
[[nodiscard]] std::optional<std::string> time_problem(std::string_view what, Time time,
                                                      Time latest);
// Checks the post itself, without its original.
[[nodiscard]] std::optional<std::string> post_problem(const Post& post, Time latest);
// Checks a repost against the post it names, if that exists.
[[nodiscard]] std::optional<std::string> repost_problem(const Post& repost,
                                                        const std::optional<Post>& original);
// Checks a comment against the post it names, if that exists.
[[nodiscard]] std::optional<std::string> comment_problem(const Comment& comment,
                                                         const std::optional<Post>& post,
                                                         Time latest);
// Checks a reply against the comment it names, if that exists.
[[nodiscard]] std::optional<std::string> reply_problem(const Comment& comment,
                                                       const std::optional<Comment>& parent);
// Checks a reaction against the post, or the post of the comment that it is for.
[[nodiscard]] std::optional<std::string> reaction_problem(UserNumber user, const Post& post);

// Finds comments that reply to each other in a circle. A comment has a higher id than its parent,
// except for loaded comments, so every circle contains a comment whose parent has a higher id.
class ReplyCircles {
 public:
  using Find = std::function<std::optional<Comment>(CommentId)>;

  explicit ReplyCircles(Find find) : find_(std::move(find)) {}
  // Whether the ancestors of this comment, whose parent has a higher id, form a circle that no
  // earlier call has found. Looks up each comment once over all calls.
  [[nodiscard]] bool closes(const Comment& comment);

 private:
  Find find_;
  std::uint32_t call_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> met_;  // comment ids, by the call that met them
};

}  // namespace chirp::rules
