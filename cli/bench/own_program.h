// Runs this program as another process, which starts with cold caches.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace chirp::cli::bench {

// Runs the program with these arguments until it ends. Its input is empty, its output is dropped,
// and its messages go to the file `messages`. Returns whether it ended with status 0.
[[nodiscard]] bool run_own_program(std::vector<std::string> arguments,
                                   const std::filesystem::path& messages = "/dev/null");

}  // namespace chirp::cli::bench
