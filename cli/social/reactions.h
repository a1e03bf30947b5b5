// The verbs of `chirp post` for reactions.
#pragma once

#include "cli/app.h"

namespace chirp::cli {

void add_reaction_verbs(CommandLine& app, Command& noun);

}  // namespace chirp::cli
