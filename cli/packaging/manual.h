// `chirp manual`: pages for `man`, generated from the same tree of commands as `--help`.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace chirp::cli {

struct ManualPage {
  std::string name;  // `chirp`, `chirp-user`: all in section 1
  std::string text;  // roff with man macros
};

// The page of the program first, then one for each noun, and for each verb that needs no noun.
[[nodiscard]] std::vector<ManualPage> manual_pages(const Command& root);

}  // namespace chirp::cli
