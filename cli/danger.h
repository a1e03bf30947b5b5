// Changes that can't be undone: a command shows their effect first and asks for confirmation.
//
// It asks only at a terminal, not in scripts or pipes. `--yes` confirms in advance, and `--dry-run`
// shows the effect and changes nothing.
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

// The options of the command line that control confirmation.
struct Consent {
  bool yes = false;
  bool dry_run = false;
};

// Declares `--yes` and `--dry-run`; `dry_run` is the help of the latter.
void add_consent(Command& verb, Consent& consent,
                 const char* dry_run = "Show what would be removed, and change nothing");

// A number of things, with its name in JSON and its words for people.
struct LostCount {
  std::string_view key;  // "posts"
  std::string_view one;
  std::string_view many;
  std::uint64_t n = 0;
};

// What a change removes, or adds permanently.
struct Loss {
  std::string_view verb;  // "remove": makes "would remove" and "removes"
  std::string what;       // "mira"
  std::vector<LostCount> counts;
  std::string_view key = "goes";  // of the counts in JSON
};

// Asks as needed. Returns the exit status if the command ends here, with nothing changed. Calls
// `loss` only if it is shown, so it may be slow; its exceptions pass through.
[[nodiscard]] std::optional<Status> ended_before(Context& context, const Consent& consent,
                                                 const std::function<Loss()>& loss);

}  // namespace chirp::cli
