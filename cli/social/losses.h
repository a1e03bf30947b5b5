// What a removal takes away, shown before it is confirmed.
#pragma once

#include <functional>
#include <optional>

#include "cli/context.h"
#include "cli/danger.h"
#include "cli/status.h"
#include "core/engine.h"

namespace chirp::cli {

[[nodiscard]] Loss loss_of_user(Engine& engine, const User& user);
// Throws Error{kNotFound} for a post or comment that can't be removed.
[[nodiscard]] Loss loss_of_post(Engine& engine, PostId id);
[[nodiscard]] Loss loss_of_comment(Engine& engine, CommentId id);

// Removes a post or comment. Returns the exit status if the command ends before that: a dry run, or
// the user declines. After an interrupted removal the post is gone, but its dependants may be left:
// removing it again finishes the work, and still throws Error{kNotFound}.
[[nodiscard]] std::optional<Status> ended_or_removed(Context& context, const Consent& consent,
                                                     const std::function<Loss(Engine&)>& loss,
                                                     const std::function<void(Engine&)>& remove);

}  // namespace chirp::cli
