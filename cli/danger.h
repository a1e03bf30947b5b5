// Changes that can't be undone: what they do is shown first, and a person at a terminal is asked.
//
// Who is no person at a terminal, a script or a pipe, is not asked; `--yes` answers beforehand, and
// `--dry-run` shows what would be done and changes nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/context.h"
#include "cli/status.h"

namespace chirp::cli {

// What the command line says of it.
struct Consent {
  bool yes = false;
  bool dry_run = false;
};

// `--yes` and `--dry-run`, whose help is `dry_run`.
void add_consent(Command& verb, Consent& consent,
                 const char* dry_run = "Show what would go, and change nothing");

// So many of something: its name for programs, and words for people.
struct LostCount {
  std::string_view key;  // "posts"
  std::string_view one;
  std::string_view many;
  std::uint64_t n = 0;
};

// What a change takes away, or adds for good.
struct Loss {
  std::string_view verb;  // "remove": what is said is "would remove" and "removes"
  std::string what;       // "mira"
  std::vector<LostCount> counts;
  std::string_view key = "goes";  // of the counts, for programs
};

// How the command ends before it has changed anything; empty if it is to go on. `loss` is asked for
// only where it is shown, so it may take its time; what it throws ends the command.
[[nodiscard]] std::optional<Status> ended_before(Context& context, const Consent& consent,
                                                 const std::function<Loss()>& loss);

}  // namespace chirp::cli
