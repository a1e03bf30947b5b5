// `chirp user token`.
#pragma once

#include "cli/app.h"

namespace chirp::cli {

void add_user_token(App& app, CLI::App& noun);

}  // namespace chirp::cli
