// `chirp feed show`: pages of the home feed.
#pragma once

#include "cli/app.h"

namespace chirp::cli {

void add_feed_show(CommandLine& app, Command& noun);

}  // namespace chirp::cli
