// `chirp doctor --drop-damaged`: lists the damaged records that cannot be rebuilt, copies them and
// removes them.
#pragma once

#include <optional>
#include <string>

#include "cli/context.h"
#include "cli/danger.h"
#include "cli/status.h"

namespace chirp::cli {

struct DropOptions {
  bool drop = false;
  std::optional<std::string> copy;  // file that receives copies of the dropped records
  Consent consent;
};

// Drops the damaged records. Returns the exit status if the command ends without dropping any, or
// empty if it should go on and repair. Call it while this process has nothing of the directory
// open.
[[nodiscard]] std::optional<Status> drop_damaged(Context& context, const DropOptions& options);

// Removes the damaged records that a repair rebuilds from other records. Call it in a separate
// process that has nothing of the directory open.
void remove_rebuilt(const Context& context);

}  // namespace chirp::cli
