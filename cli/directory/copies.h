// What a command that copies a whole data directory says at its end.
#pragma once

#include <filesystem>
#include <string_view>

#include "cli/context.h"
#include "store/copied.h"

namespace chirp::cli {

void print_copied(Context& context, std::string_view what, const std::filesystem::path& path,
                  const store::Copied& copied);

}  // namespace chirp::cli
