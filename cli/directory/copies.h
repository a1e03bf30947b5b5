// The final message of commands that copy a whole data directory.
#pragma once

#include <filesystem>
#include <string_view>

#include "cli/context.h"
#include "store/copied.h"

namespace chirp::cli {

void print_copied(Context& context, std::string_view what, const std::filesystem::path& path,
                  const store::Copied& copied);

}  // namespace chirp::cli
