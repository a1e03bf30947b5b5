// The settings of an export.
#pragma once

#include <string>
#include <vector>

#include "cli/load/import_row.h"
#include "core/ports/storage.h"
#include "core/settings.h"

namespace chirp::cli {

// Throws BadRow for a value that is neither a text nor a number.
[[nodiscard]] std::vector<settings::Change> settings_of(const Row& row);

// Takes out those that decide whom the server believes and what it bears (`http.*`, `auth.*`): an
// export may come from somebody else. The keys of those that have another value here.
[[nodiscard]] std::vector<std::string> leave_out_guarding(const Storage& storage,
                                                          std::vector<settings::Change>& changes);

}  // namespace chirp::cli
