// The verbs of `chirp post` that are about reactions.
#pragma once

#include "cli/app.h"

namespace chirp::cli {

void add_reaction_verbs(App& app, Command& noun);

}  // namespace chirp::cli
