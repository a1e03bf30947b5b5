// `chirp doctor --drop-damaged`: damaged records that nothing can make again go, after they were
// listed and copied.
#pragma once

#include <optional>
#include <string>

#include "cli/context.h"
#include "cli/danger.h"
#include "cli/status.h"

namespace chirp::cli {

struct DropOptions {
  bool drop = false;
  std::optional<std::string> copy;  // the file for copies of what is dropped
  Consent consent;
};

// How the command ends before anything is dropped; empty if it is to go on and repair. Nothing of
// the directory is open in this process.
[[nodiscard]] std::optional<Status> drop_damaged(Context& context, const DropOptions& options);

// Removes what a repair makes again from other records. In a process of its own, before anything of
// the directory is open in it.
void remove_rebuilt(const Context& context);

}  // namespace chirp::cli
