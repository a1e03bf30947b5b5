// Files named on the command line for upload.
#pragma once

#include <string>

#include "core/error.h"

namespace chirp::cli {

// Reads a regular file of at most limits::kMediaBytesMax bytes; does not follow a symbolic link to
// it. Throws Error{kBadInput} if it can't be read, {kInvalidArgument} if it is too large.
[[nodiscard]] std::string read_media_file(const std::string& path);

// Rethrows the error of an upload with the path of the file. Call it within a `catch`.
[[noreturn]] void refuse_media_file(const std::string& path, const Error& error);

}  // namespace chirp::cli
