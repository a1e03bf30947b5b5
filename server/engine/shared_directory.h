// A UserDirectory for many threads: each call borrows a connection of its own, so that a sign-up
// being synced keeps nobody's look-up waiting. Safe to call from any thread, media() included.
#pragma once

#include <functional>
#include <memory>

#include "core/ports/user_directory.h"

namespace chirp {

// `open` makes another connection; called when all are borrowed.
[[nodiscard]] std::unique_ptr<UserDirectory> share_directory(
    std::function<std::unique_ptr<UserDirectory>()> open);

}  // namespace chirp
