#include "cli/home_path.h"

#include <cstdlib>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli {
namespace {

bool is_home(std::string_view path) { return path == "~" || path.starts_with("~/"); }

// Returns HOME, or empty if it is not set.
std::string_view home() {
  const char* const value = std::getenv("HOME");
  return value == nullptr ? std::string_view() : std::string_view(value);
}

}  // namespace

std::string expanded_path(std::string_view said_by, const std::string& path) {
  if (!path.starts_with('~')) return path;
  if (is_home(path) && !home().empty()) return std::string(home()) + path.substr(1);
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{}: {} can't be used: {}. Write the whole path, or ./{} for a file of "
                          "that name.",
                          said_by, printable(path),
                          is_home(path) ? "HOME is not set"
                                        : "the home directories of other users are not known",
                          printable(path)));
}

void expand_environment() {
  for (const char* const name : {"CHIRP_DATA", "CHIRP_CONFIG", "TMPDIR"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || !is_home(value) || home().empty()) continue;
    ::setenv(name, (std::string(home()) + (value + 1)).c_str(), 1);
  }
}

void refuse_home_sign(std::string_view option, std::string_view path) {
  if (!path.starts_with('~')) return;
  throw Error(
      ErrorCode::kInvalidArgument,
      fmt::format("{}: {} begins with ~, which only a shell replaces with a home directory, and "
                  "only outside quotes. Write the whole path, or ./{} for a file of that name.",
                  option, printable(path), printable(path)));
}

}  // namespace chirp::cli
