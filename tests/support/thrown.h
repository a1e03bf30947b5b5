// What a call throws, for tests of what is refused.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/error.h"

namespace chirp::test {

// Empty if it throws none.
[[nodiscard]] std::optional<Error> thrown_by(const std::function<void()>& call);
[[nodiscard]] std::optional<ErrorCode> code_of(const std::function<void()>& call);
// Fails the test if it throws none.
[[nodiscard]] Error error_of(const std::function<void()>& call);
// The field that is to blame for an invalid argument; "none" if nothing is thrown.
[[nodiscard]] std::string blamed_by(const std::function<void()>& call);

}  // namespace chirp::test
