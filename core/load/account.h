// The account that an archive is loaded as.
#pragma once

#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "core/ports/user_directory.h"

namespace chirp::load {

// Finds or makes the user as loads do (UserLoads::load), with their card.
LoadedUserResult bring_account(Storage& storage, UserDirectory& directory, const Clock& clock,
                               const LoadedUser& account);

}  // namespace chirp::load
