// What must be true of data.mdb before LMDB is let near it: LMDB maps the file and trusts it, so a
// short one ends the process by a signal.
#pragma once

#include <filesystem>

namespace chirp::lmdb {

// Throws Error{kCorrupt} naming the damage, {kIo} if the file can't be read.
void check_data_file(const std::filesystem::path& file);

}  // namespace chirp::lmdb
