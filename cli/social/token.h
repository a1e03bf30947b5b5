// `chirp user token` and `chirp user sessions`.
#pragma once

#include "cli/app.h"

namespace chirp::cli {

void add_user_token(App& app, Command& noun);

}  // namespace chirp::cli
