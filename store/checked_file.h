// A file named by the SHA-256 of its content, read in pieces. Returns only pieces of the file whose
// content was checked.
//
// The whole is hashed once per device, inode, size, mtime and ctime; a table of fixed size
// remembers them. Every piece is read from the descriptor that was checked, and the five values are
// compared again afterwards. A write changes ctime, and a changed file is hashed again. Two gaps
// remain: a device may return a damaged page after the check, and a write may come within one tick
// of the kernel's clock (some milliseconds). Because of the latter, very young files are not
// remembered.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/ports/media_store.h"
#include "store/files.h"

namespace chirp::store {

inline constexpr std::size_t kCheckedFilesMax = 4'096;     // in that table
inline constexpr std::chrono::milliseconds kSettled{100};  // remembered if unchanged this long

// Throws Error{kCorrupt} if the content has another hash. `path` is for messages.
[[nodiscard]] std::shared_ptr<const MediaFile> open_checked(
    File file, const std::string& hash, const std::filesystem::path& path,
    std::chrono::milliseconds settled = kSettled);

// Returns the bytes hashed since the process began.
[[nodiscard]] std::uint64_t hashed_bytes();

[[noreturn]] void throw_damaged(const std::filesystem::path& path);

}  // namespace chirp::store
