// The password of users in tests that log in.
#pragma once

#include <string_view>

namespace chirp::test {

inline constexpr std::string_view kPassword = "seven wet geese on a wall";

}  // namespace chirp::test
