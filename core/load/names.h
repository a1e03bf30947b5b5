// Adapts names of a source to the rules of chirp.
#pragma once

#include "core/load/source.h"
#include "core/ports/user_directory.h"

namespace chirp::load {

// The user as the directory stores it: an invalid username is dropped; a display name or bio is cut
// to its length and freed of control characters, or dropped.
[[nodiscard]] LoadedUser loaded_user(const SourceUser& said);

}  // namespace chirp::load
