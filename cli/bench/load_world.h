// Loads into worlds of full size, made by the commands themselves: `chirp bench load --edges M`.
#pragma once

#include "cli/bench/runs.h"
#include "cli/context.h"

namespace chirp::cli::bench {

// Makes texts of the size in `request.load`, and loads each of them by the command that people use,
// in a process of its own. Prints for each load its rows, its seconds and all bytes that its
// process wrote, and how long other writers waited beside it.
void run_load_world(Context& context, const Request& request);

}  // namespace chirp::cli::bench
