// Who serves a data directory: one process at a time, which says in the lock file who it is.
#pragma once

#include <optional>
#include <string_view>

#include "store/directory_status.h"
#include "store/layout.h"
#include "store/lock_file.h"

namespace chirp::store {

// Taken, with this process's number, the machine's boot id and the namespace of process numbers in
// the file. Throws Error{kConflict} naming who has it, and as throw_errno does.
[[nodiscard]] LockFile lock_as_server(const Layout& layout);

// Says in the file of the lock that was taken where the server listens.
void note_address(const LockFile& lock, const Layout& layout, std::string_view address);

// Who has it: number, and address once it is known. Empty for nobody. Throws as throw_errno does.
[[nodiscard]] std::optional<ProcessStatus> server_of(const Layout& layout);

}  // namespace chirp::store
