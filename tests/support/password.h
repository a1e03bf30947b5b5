// The password of people in tests that log somebody in.
#pragma once

#include <string_view>

namespace chirp::test {

inline constexpr std::string_view kPassword = "seven wet geese on a wall";

}  // namespace chirp::test
