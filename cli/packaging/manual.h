// `chirp manual`: the pages that `man` shows, made from the tree of commands that `--help` is made
// from.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace chirp::cli {

struct ManualPage {
  std::string name;  // `chirp`, `chirp-user`: all are of section 1
  std::string text;  // roff, by the macros of man
};

// That of the program first, then one for each noun, and for each verb that needs no noun.
[[nodiscard]] std::vector<ManualPage> manual_pages(const Command& root);

}  // namespace chirp::cli
