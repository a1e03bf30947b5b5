// `chirp user token`, `tokens` and `sessions`.
#pragma once

#include "cli/app.h"

namespace chirp::cli {

void add_user_token(CommandLine& app, Command& noun);

}  // namespace chirp::cli
