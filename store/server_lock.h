// Who serves a data directory: one process at a time, which says in the lock file who it is.
#pragma once

#include "store/layout.h"
#include "store/lock_file.h"

namespace chirp::store {

// Taken, with this process's number, the machine's boot id and the namespace of process numbers in
// the file. Throws Error{kConflict} naming who has it, and as throw_errno does.
[[nodiscard]] LockFile lock_as_server(const Layout& layout);

}  // namespace chirp::store
