// The lock of loads that need to be the only one of their kind: bulk loads of edges, and loads of
// posts while they put early entries. Its file says which process holds it.
#pragma once

#include <filesystem>
#include <optional>

#include "store/lock_file.h"

namespace chirp::lmdb {

// The lock of the data directory at `place`; empty if another process has it.
[[nodiscard]] std::optional<store::LockFile> try_load_lock(const std::filesystem::path& place);

}  // namespace chirp::lmdb
