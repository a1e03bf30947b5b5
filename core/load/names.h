// Names as sources have them, made fit to be ours.
#pragma once

#include "core/load/source.h"
#include "core/ports/user_directory.h"

namespace chirp::load {

// What the directory is asked to keep of a user: a username that is none of ours is left out, a
// display name or bio is cut to its length and freed of control characters, or left out.
[[nodiscard]] LoadedUser loaded_user(const SourceUser& said);

}  // namespace chirp::load
