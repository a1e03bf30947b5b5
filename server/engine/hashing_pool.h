// Password hashing in a small pool of its own: a worker for each two processors and a queue of
// limits::kPasswordQueueMax; past it, Error{kUnavailable}. Safe to call from any thread.
#pragma once

#include <memory>

#include "core/ports/password_hasher.h"

namespace chirp {

// `inner` must outlive it and be safe to call from any thread.
[[nodiscard]] std::unique_ptr<PasswordHasher> pool_hashing(const PasswordHasher& inner);

}  // namespace chirp
