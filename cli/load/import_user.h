// A user of an export.
#pragma once

#include "cli/load/import_row.h"
#include "core/model/reading.h"
#include "core/model/user.h"

namespace chirp::cli {

// Both throw BadRow or Error for impossible values.
[[nodiscard]] User user_of(const Row& row);
// The reading positions of the home feed and of notifications.
[[nodiscard]] ReadingMarks marks_of(const Row& row);

}  // namespace chirp::cli
