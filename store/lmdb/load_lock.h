// The lock of loads that must run alone: bulk loads of edges, and loads of posts that write early
// entries. The lock file names the process that holds it.
#pragma once

#include <filesystem>
#include <optional>

#include "store/lock_file.h"

namespace chirp::lmdb {

// Takes the lock of the data directory at `place`; empty if another process has it.
[[nodiscard]] std::optional<store::LockFile> try_load_lock(const std::filesystem::path& place);

}  // namespace chirp::lmdb
