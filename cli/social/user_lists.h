// The verbs of `chirp user` that list users.
#pragma once

#include "cli/app.h"

namespace chirp::cli {

void add_user_lists(CommandLine& app, Command& noun);

}  // namespace chirp::cli
