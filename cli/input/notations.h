// Ids, times and texts as other programs write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/model/ids.h"
#include "core/model/time.h"

namespace chirp::cli::input {

// A number of 63 bits in decimal digits; blanks around it don't count.
[[nodiscard]] std::optional<SourceId> parse_source_id(std::string_view text);

// ISO 8601 (` UTC` behind it allowed), `Tue May 03 20:21:57 +0000 2016`, or Unix time.
[[nodiscard]] std::optional<Time> parse_when(std::string_view text);
// Unix time in seconds, or in milliseconds if in seconds it were after the year 5000.
[[nodiscard]] Time unix_time(std::int64_t value);
[[nodiscard]] std::optional<Time> unix_time(double value);

// `&amp; &lt; &gt; &quot; &apos; &nbsp; &#39; &#x27;` undone, once; what is no such escape stays.
[[nodiscard]] std::string html_unescaped(std::string_view text);

[[nodiscard]] std::string_view trimmed(std::string_view text);

}  // namespace chirp::cli::input
