// Checks data.mdb before LMDB opens it: LMDB maps the file and trusts it, so a truncated one would
// end the process by a signal.
#pragma once

#include <filesystem>

namespace chirp::lmdb {

// Throws Error{kCorrupt} that names the damage, {kIo} if the file can't be read.
void check_data_file(const std::filesystem::path& file);

}  // namespace chirp::lmdb
