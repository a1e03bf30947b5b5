// Sets which users besides its owner may read a data directory.
#pragma once

#include <cstdint>
#include <filesystem>

namespace chirp::store {

enum class FileReaders : std::uint8_t { kOwner, kGroup, kEveryone };

// Lets them read the data files, but never the lock files. New files get the same rights as their
// neighbours. Throws Error{kReadOnly} unless this user owns the directory or is root, {kIo} if it
// is missing, and {kCorrupt} if links or other things are in the place of its files.
void share_directory(const std::filesystem::path& path, FileReaders readers);

}  // namespace chirp::store
