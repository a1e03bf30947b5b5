// What goes along with what is removed, for whoever is about to.
#pragma once

#include "cli/danger.h"
#include "core/engine.h"

namespace chirp::cli {

[[nodiscard]] Loss loss_of_user(Engine& engine, const User& user);
// Throws Error{kNotFound} for a post or comment that can't be removed.
[[nodiscard]] Loss loss_of_post(Engine& engine, PostId id);
[[nodiscard]] Loss loss_of_comment(Engine& engine, CommentId id);

}  // namespace chirp::cli
