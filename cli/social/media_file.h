// Files that are named on the command line to be uploaded.
#pragma once

#include <string>

#include "core/error.h"

namespace chirp::cli {

// A regular file of at most limits::kMediaBytesMax bytes; no link is followed to it. Throws
// Error{kBadInput} if it can't be read, {kInvalidArgument} if it is too large.
[[nodiscard]] std::string read_media_file(const std::string& path);

// What an upload has against the bytes of the file at `path`, said of that file. Within a `catch`.
[[noreturn]] void refuse_media_file(const std::string& path, const Error& error);

}  // namespace chirp::cli
