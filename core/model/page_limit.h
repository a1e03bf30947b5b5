// The bound on the size of a page.
#pragma once

#include <cstdint>
#include <string_view>

namespace chirp {

// Throws Error{kInvalidArgument} with field `limit` unless `limit` is from 1 to `most`. `items`
// names the contents of the page: "users".
void check_page_limit(std::uint32_t limit, std::uint32_t most, std::string_view items);

}  // namespace chirp
