// Converts errors of SQLite, and of the system about its files, to ours.
//
// A message has the file, what is wrong with it, and what to do.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/error.h"

struct sqlite3;

namespace chirp::sqlite {

// `code` is an extended result code. The handle may be null.
[[nodiscard]] Error error_for(sqlite3* handle, int code, const std::filesystem::path& file);
// `system` is the errno of a call on the file itself.
[[nodiscard]] Error system_error(std::string_view what, int system,
                                 const std::filesystem::path& file);
// `what` describes damage, as in "the column x of a row has another type".
[[nodiscard]] Error corrupt(std::string_view what, const std::filesystem::path& file);

}  // namespace chirp::sqlite
