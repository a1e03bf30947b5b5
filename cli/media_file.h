// Files that are named on the command line to be uploaded.
#pragma once

#include <string>

namespace chirp::cli {

// A regular file of at most limits::kMediaBytesMax bytes; no link is followed to it. Throws
// Error{kBadInput} if it can't be read, {kInvalidArgument} if it is too large.
[[nodiscard]] std::string read_media_file(const std::string& path);

}  // namespace chirp::cli
