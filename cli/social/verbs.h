// Verbs whose files are not those of their nouns.
#pragma once

#include "cli/app.h"

namespace chirp::cli {

void add_feed_show(CommandLine& app, Command& noun);
// `chirp post react`, `unreact` and `reactions`.
void add_reaction_verbs(CommandLine& app, Command& noun);
// `chirp user token`, `tokens` and `sessions`.
void add_user_token(CommandLine& app, Command& noun);
// `chirp user list`, `blocks` and `mutes`.
void add_user_lists(CommandLine& app, Command& noun);
// `chirp user suspend`, `unsuspend` and `rename`.
void add_user_state(CommandLine& app, Command& noun);

}  // namespace chirp::cli
