// Whether a server keeps what it acknowledges when its machine crashes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/postgres/connection.h"

namespace chirp::postgres {

// Asks for the settings that decide it; the answer is for losses_in().
inline constexpr std::string_view kDurability =
    "select name::text from pg_settings where name in ('fsync', 'full_page_writes')"
    " and setting = 'off' order by name";

// A sentence for each of them that is off.
[[nodiscard]] std::vector<std::string> losses_in(const Result& answer, std::string_view server);

}  // namespace chirp::postgres
