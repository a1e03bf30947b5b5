// What a command that copies a whole data directory says at its end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "cli/context.h"

namespace chirp::cli {

struct Copied {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::uint64_t missing = 0;  // of a backup: files that were not there to be copied
};

void print_copied(Context& context, std::string_view what, const std::filesystem::path& path,
                  Copied copied);

}  // namespace chirp::cli
