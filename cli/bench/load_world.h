// Loads into worlds of full size, by chirp's own commands: `chirp bench load --edges M`.
#pragma once

#include "cli/bench/runs.h"
#include "cli/context.h"

namespace chirp::cli::bench {

// Makes texts of the size in `request.load`, and loads each with the usual command in a process of
// its own. Prints for each load its rows, seconds and all bytes written by its process, and the
// waiting times of other writers meanwhile.
void run_load_world(Context& context, const BenchRequest& request);

}  // namespace chirp::cli::bench
