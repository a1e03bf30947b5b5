// `chirp user suspend`, `unsuspend` and `rename`.
#pragma once

#include "cli/app.h"

namespace chirp::cli {

void add_user_state(CommandLine& app, Command& noun);

}  // namespace chirp::cli
