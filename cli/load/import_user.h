// A user of an export.
#pragma once

#include "cli/load/import_row.h"
#include "core/model/reading.h"
#include "core/model/user.h"

namespace chirp::cli {

// Both throw BadRow or Error for what can't be so.
[[nodiscard]] User user_of(const Row& row);
// How far they have read the home feed and what they are notified of.
[[nodiscard]] ReadingMarks marks_of(const Row& row);

}  // namespace chirp::cli
