// The one way to open and make files of a data directory.
//
// A file is opened relative to its opened folder, and never through a link in its place. Its owner
// is the folder's. What root makes gets the owner and group of its folder. Others may read what
// they may read of the folder that it lies in, but never a lock file: whoever can open one can hold
// it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "store/files.h"

namespace chirp::store {

enum class FileUse : std::uint8_t { kData, kLock };

// `flags` as for File::open. A lock file that others may open is set back to its owner's, mode
// 0600. Throws Error{kIo} for a link, {kCorrupt} for whatever else is no regular file, {kReadOnly}
// for a file of another user, and as throw_errno does.
[[nodiscard]] File open_own(const std::filesystem::path& path, int flags, FileUse use);

// Makes a data file that must not exist yet; durable, less the entry in its folder.
void write_new_file(const std::filesystem::path& path, std::string_view text);

// The same rules for a file that SQLite or LMDB opens by its path; nothing if there is none. The
// file is not opened in a way that ends locks on it when it is closed.
void settle_own(const std::filesystem::path& path, FileUse use);

// After something was opened by its path: throws Error{kIo} unless the open file is what the
// name leads to, without a link.
void check_named(int fd, const std::filesystem::path& path);

// Makes a folder in a data directory unless it is there. Throws as throw_errno does.
void make_own_folder(const std::filesystem::path& path);

// Moves a file onto another one, with that one's owner, group and mode. Durable after sync_folder.
void take_place(const std::filesystem::path& from, const std::filesystem::path& to);

// If root runs this and `folder` is its own, gives all of it to the owner and group of `like`,
// which may be missing. Throws as throw_errno does.
void give_tree(const std::filesystem::path& folder, const std::filesystem::path& like);

}  // namespace chirp::store
