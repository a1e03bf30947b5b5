// Parses values in paths, queries and bodies. Pure functions; safe from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace chirp::api {

// 1 to 19 decimal digits, at most 63 bits; empty for anything else.
[[nodiscard]] std::optional<std::uint64_t> id_in(std::string_view text);

// Visits the items of a comma-separated header (`If-None-Match`, `Accept`), without blanks around
// them. Stops when `visit` returns false.
template <class Visit>
void each_item(std::string_view list, Visit visit) {
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t found = list.find(',', at);
    const std::size_t end = found == std::string_view::npos ? list.size() : found;
    std::string_view item = list.substr(at, end - at);
    while (!item.empty() && (item.front() == ' ' || item.front() == '\t')) item.remove_prefix(1);
    while (!item.empty() && (item.back() == ' ' || item.back() == '\t')) item.remove_suffix(1);
    if (!item.empty() && !visit(item)) return;
    at = end + 1;
  }
}

// Returns the media type of a `Content-Type`, in lower case and without parameters.
[[nodiscard]] std::string media_type_in(std::string_view header);
// Whether a `Content-Type` has no charset, or one that is UTF-8 or ASCII.
[[nodiscard]] bool is_utf8_type(std::string_view header);
// Whether an `If-None-Match` contains this tag, by weak comparison.
[[nodiscard]] bool names_tag(std::string_view if_none_match, std::string_view tag);
// Returns a weak tag of these bytes, the same in every process.
[[nodiscard]] std::string weak_tag(std::string_view bytes);

}  // namespace chirp::api
