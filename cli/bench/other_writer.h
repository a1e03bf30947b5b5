// Another writer beside a load: how long a post and a sign-up take while it runs, and alone.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "cli/context.h"

namespace chirp::cli::bench {

// A load into the directory at `data`, which nobody else has open.
using LoadInto = std::function<void(const std::filesystem::path& data)>;

// Runs `load` in a process of its own, into a fresh directory below `folder`, and writes from this
// one until it is done; prints a figure for posts and one for users, `<kind> amid <what>`. Nothing
// of a store may be open.
void time_other_writer(Context& context, const std::string& what,
                       const std::filesystem::path& folder, const LoadInto& load);

}  // namespace chirp::cli::bench
