// How much one page of a list may be asked to hold.
#pragma once

#include <cstdint>
#include <string_view>

namespace chirp {

// Throws Error{kInvalidArgument} with field `limit` unless `limit` is from 1 to `most`. `items` is
// what the page is of: "users".
void check_page_limit(std::uint32_t limit, std::uint32_t most, std::string_view items);

}  // namespace chirp
