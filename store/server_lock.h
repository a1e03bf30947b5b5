// The server of a data directory: one process at a time, which the lock file identifies.
#pragma once

#include <optional>
#include <string_view>

#include "store/directory_status.h"
#include "store/layout.h"
#include "store/lock_file.h"

namespace chirp::store {

// Takes the lock and writes process number, boot id and namespace of process numbers into the file.
// Throws Error{kConflict} that names the holder, and as throw_errno does.
[[nodiscard]] LockFile lock_as_server(const Layout& layout);

// Writes the server's address into the file of the held lock.
void note_address(const LockFile& lock, const Layout& layout, std::string_view address);

// Returns the holder's number, and address if known; empty without one. Throws as throw_errno does.
[[nodiscard]] std::optional<ProcessStatus> server_of(const Layout& layout);

}  // namespace chirp::store
