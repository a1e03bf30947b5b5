// Paths that begin with `~`, the home directory in a shell. A quoted or configured one comes here
// as it is, and would name a folder `~`.
#pragma once

#include <string>
#include <string_view>

namespace chirp::cli {

// A configured path: `~` and `~/…` lead to HOME, others are as they are. Throws
// Error{kInvalidArgument} without HOME, and for `~user`. `said_by` is where the path was found.
[[nodiscard]] std::string expanded_path(std::string_view said_by, const std::string& path);

// Expands the variables of the environment that are paths of chirp's, where that is possible.
void expand_environment();

// Throws Error{kInvalidArgument} for a path of the command line that begins with `~`.
void refuse_home_sign(std::string_view option, std::string_view path);

}  // namespace chirp::cli
