// Who may read a data directory besides its owner.
#pragma once

#include <cstdint>
#include <filesystem>

namespace chirp::store {

enum class Readers : std::uint8_t { kOwner, kGroup, kEveryone };

// Lets them read the data files, and nobody the lock files. Files that are made later are as those
// beside them. Throws Error{kReadOnly} unless this user owns the directory or is root, {kIo} where
// there is none, {kCorrupt} for links and other things in the place of its files.
void share_directory(const std::filesystem::path& path, Readers readers);

}  // namespace chirp::store
