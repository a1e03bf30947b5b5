// Checks whether a server keeps acknowledged changes when its machine crashes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/postgres/connection/connection.h"

namespace chirp::postgres {

// Queries the settings that decide this. Pass the result to losses_in().
inline constexpr std::string_view kDurability =
    "select name::text from pg_settings where name in ('fsync', 'full_page_writes')"
    " and setting = 'off' order by name";

// Returns a sentence for each of these settings that is off.
[[nodiscard]] std::vector<std::string> losses_in(const Result& answer, std::string_view server);

}  // namespace chirp::postgres
