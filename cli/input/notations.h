// Ids, times and texts as other programs write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/model/ids.h"
#include "core/model/time.h"

namespace chirp::cli::input {

// A number of 63 bits in decimal digits, of which the first is no needless 0: `007` is another id
// than `7`. Blanks around it don't count. `3.0` is 3, as tables of
// numbers with gaps have it; above 2^53 such a number has lost digits, and is none.
[[nodiscard]] std::optional<SourceId> parse_source_id(std::string_view text);
// The same of a number that is one already.
[[nodiscard]] std::optional<SourceId> source_id(double value);
// Whether a cell is empty, or says so in a word: nan, null, none, <NA>, \N.
[[nodiscard]] bool says_nothing(std::string_view cell);

// The same as Times with no format and no zones.
[[nodiscard]] std::optional<Time> parse_when(std::string_view text);
// Unix time in seconds, or in milliseconds if in seconds it were after the year 5000.
[[nodiscard]] Time unix_time(std::int64_t value);
[[nodiscard]] std::optional<Time> unix_time(double value);

// `&amp; &lt; &gt; &quot; &apos; &nbsp; &#39; &#x27;` undone, once; what is no such escape stays.
[[nodiscard]] std::string html_unescaped(std::string_view text);

[[nodiscard]] std::string_view trimmed(std::string_view text);

}  // namespace chirp::cli::input
