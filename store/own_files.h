// The only way to open and make files of a data directory.
//
// A file is opened relative to its open folder, and never through a link in its place. A file
// belongs to its folder's owner; files that root makes get the folder's owner and group. Other
// users may read a file if they may read its folder, except lock files: a user who can open a lock
// file can block others with it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "store/files.h"

namespace chirp::store {

enum class FileUse : std::uint8_t { kData, kLock };

// `flags` as for File::open. A lock file that others may open gets mode 0600 again. Throws
// Error{kIo} for a link, {kCorrupt} for anything else that is not a regular file, {kReadOnly} for a
// file of another user; otherwise as throw_errno does.
[[nodiscard]] File open_own(const std::filesystem::path& path, int flags, FileUse use);

// Makes a data file that must not exist yet. It is durable, except for the entry in its folder.
void write_new_file(const std::filesystem::path& path, std::string_view text);

// Applies the same rules to a file that SQLite or LMDB opens by its path; does nothing if it is
// missing. Opens the file so that closing it releases no locks.
void settle_own(const std::filesystem::path& path, FileUse use);

// Call it after opening a file by its path. Throws Error{kIo} unless the open file is the one the
// name leads to without a link.
void check_named(int fd, const std::filesystem::path& path);

// Makes a folder in a data directory if it is missing. Throws as throw_errno does.
void make_own_folder(const std::filesystem::path& path);

// Moves a file onto another, whose owner, group and mode it takes. Durable after sync_folder.
void take_place(const std::filesystem::path& from, const std::filesystem::path& to);

// If root runs this and `folder` belongs to root, gives all of it to the owner and group of `like`,
// which may be missing. Throws as throw_errno does.
void give_tree(const std::filesystem::path& folder, const std::filesystem::path& like);

}  // namespace chirp::store
