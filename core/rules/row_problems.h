// What every stored row obeys, whichever way it came: rows of an export are held against it before
// they are taken, and doctor holds against it what is there. Each function returns what is wrong
// with the row, or nothing. Pure functions, safe from any thread.
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

// Clocks of two machines differ: as much later than the clock of this one may times of an export
// be.
inline constexpr std::int64_t kOtherClockMs = 5 * std::int64_t{60'000};
// A clock that was set back leaves ids and times that are later than it says, which is no fault:
// new ids go on above them. Beyond ten years it was no clock.
inline constexpr std::int64_t kOwnClockMs = 3'653 * std::int64_t{86'400'000};
// No log has so many events: a number above it was not counted up to.
inline constexpr Sequence kEventsMax{std::uint64_t{1} << 48};

// An id of a user, post or comment says when it was made. New ones are above all that are there, so
// one of a late time leaves no ids.
[[nodiscard]] std::optional<std::string> id_problem(std::uint64_t id, Time latest);
// `what` is the name of the time.
[[nodiscard]] std::optional<std::string> time_problem(std::string_view what, Time time,
                                                      Time latest);
// Of a post itself, without what it repeats.
[[nodiscard]] std::optional<std::string> post_problem(const Post& post, Time latest);
// Of a repost and the post with the id that it names, if there is one.
[[nodiscard]] std::optional<std::string> repost_problem(const Post& repost,
                                                        const std::optional<Post>& original);
// Of a comment and the post with the id that it names, if there is one.
[[nodiscard]] std::optional<std::string> comment_problem(const Comment& comment,
                                                         const std::optional<Post>& post,
                                                         Time latest);
// Of a comment that replies and the comment with the id that it names, if there is one.
[[nodiscard]] std::optional<std::string> reply_problem(const Comment& comment,
                                                       const std::optional<Comment>& parent);
// Of a reaction to the post, or to a comment on it.
[[nodiscard]] std::optional<std::string> reaction_problem(UserNumber user, const Post& post);

// Finds comments that reply to each other in a circle. A comment has a higher id than the one that
// it replies to, but for loaded ones: only at such a one does a circle close.
class ReplyCircles {
 public:
  using Find = std::function<std::optional<Comment>(CommentId)>;

  explicit ReplyCircles(Find find) : find_(std::move(find)) {}
  // Whether the comments above this one, which replies to a later one, close a circle that no call
  // before has found. Each comment is looked up once over all calls.
  [[nodiscard]] bool closes(const Comment& comment);

 private:
  Find find_;
  std::uint32_t call_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> met_;  // ids, by the call that met them
};

}  // namespace chirp::rules
