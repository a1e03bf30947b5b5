// Paths that begin with `~`, which a shell expands to the home directory. A quoted or configured
// path reaches chirp unexpanded, and would name a folder `~`.
#pragma once

#include <string>
#include <string_view>

namespace chirp::cli {

// Expands a configured path: `~` and `~/…` become HOME; any other path is returned unchanged.
// Throws Error{kInvalidArgument} if HOME is not set, and for `~user`. `said_by` is the source of
// the path, for the message.
[[nodiscard]] std::string expanded_path(std::string_view said_by, const std::string& path);

// Expands the environment variables that hold chirp's paths. Leaves those that cannot be expanded.
void expand_environment();

// Throws Error{kInvalidArgument} for a path of the command line that begins with `~`.
void refuse_home_sign(std::string_view option, std::string_view path);

}  // namespace chirp::cli
