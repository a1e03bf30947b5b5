// Ids, times and texts in the notations of other programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/model/ids.h"
#include "core/model/time.h"

namespace chirp::cli::input {

// Parses a number of 63 bits in decimal digits, without leading zeros: `007` is a different id from
// `7`. Ignores surrounding blanks. Accepts `3.0` as 3, because number columns with gaps are written
// so; but not above 2^53, where digits have been lost.
[[nodiscard]] std::optional<SourceId> parse_source_id(std::string_view text);
// The same for a number that is parsed already.
[[nodiscard]] std::optional<SourceId> source_id(double value);
// Whether a cell is empty, or marks a missing value: nan, null, none, <NA>, \N.
[[nodiscard]] bool says_nothing(std::string_view cell);

// The same as Times with no format and no zones.
[[nodiscard]] std::optional<Time> parse_when(std::string_view text);
// Unix time in seconds, or in milliseconds if as seconds it would be after the year 5000.
[[nodiscard]] Time unix_time(std::int64_t value);
[[nodiscard]] std::optional<Time> unix_time(double value);

// Decodes `&amp; &lt; &gt; &quot; &apos; &nbsp; &#39; &#x27;` once; leaves other text unchanged.
[[nodiscard]] std::string html_unescaped(std::string_view text);

[[nodiscard]] std::string_view trimmed(std::string_view text);

}  // namespace chirp::cli::input
