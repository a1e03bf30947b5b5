// A file named by the SHA-256 of what is in it, read in pieces, of which none is given out that is
// not of the file as it was checked.
//
// The whole is hashed once for each device, inode, size, mtime and ctime, which a table of fixed
// size remembers for the process; every piece is read from the descriptor that was checked, and the
// five are looked at again behind it. A write changes ctime, whatever it does to mtime, and a file
// that has changed is hashed again. What remains: a page that a device gives back wrong after it
// was checked, and a write within one tick of the kernel's clock (some milliseconds), for which
// what is that young is not remembered.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/ports/media_store.h"
#include "store/files.h"

namespace chirp::store {

inline constexpr std::size_t kCheckedFilesMax = 4'096;     // remembered
inline constexpr std::chrono::milliseconds kSettled{100};  // unchanged, before it is

// Throws Error{kCorrupt} if the hash of what is in it is another. `path` is for messages.
[[nodiscard]] std::shared_ptr<const MediaFile> open_checked(
    File file, const std::string& hash, const std::filesystem::path& path,
    std::chrono::milliseconds settled = kSettled);

// Bytes that were hashed for this since the process began.
[[nodiscard]] std::uint64_t hashed_bytes();

[[noreturn]] void throw_damaged(const std::filesystem::path& path);

}  // namespace chirp::store
