// What goes along with what is removed, for whoever is about to.
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

// Removes a post or comment, unless it is a dry run or whoever is asked says no; how the command
// ends then. Of a removal that was cut short the post is gone and what hung on it may be left:
// asking for it again finishes it, and throws Error{kNotFound} all the same.
[[nodiscard]] std::optional<Status> ended_or_removed(Context& context, const Consent& consent,
                                                     const std::function<Loss(Engine&)>& loss,
                                                     const std::function<void(Engine&)>& remove);

}  // namespace chirp::cli
