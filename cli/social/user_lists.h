// The verbs of `chirp user` that list people.
#pragma once

#include "cli/app.h"

namespace chirp::cli {

void add_user_lists(App& app, Command& noun);

}  // namespace chirp::cli
