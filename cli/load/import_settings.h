// Settings in an export.
#pragma once

#include <string>
#include <vector>

#include "cli/load/import_row.h"
#include "core/ports/storage.h"
#include "core/settings.h"

namespace chirp::cli {

// Throws BadRow for a value that is neither a string nor a number.
[[nodiscard]] std::vector<settings::SettingChange> settings_of(const Row& row);

// Removes the settings that decide whom the server trusts and how much load it accepts (`http.*`,
// `auth.*`), because an export may come from someone else. Returns the keys of removed settings
// whose value differs here.
[[nodiscard]] std::vector<std::string> leave_out_guarding(
    const Storage& storage, std::vector<settings::SettingChange>& changes);

}  // namespace chirp::cli
