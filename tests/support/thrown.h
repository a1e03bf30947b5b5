// Returns what a call throws, for tests of refusals.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/error.h"

namespace chirp::test {

// Empty if it throws nothing.
[[nodiscard]] std::optional<Error> thrown_by(const std::function<void()>& call);
[[nodiscard]] std::optional<ErrorCode> code_of(const std::function<void()>& call);
// Fails the test if it throws nothing.
[[nodiscard]] Error error_of(const std::function<void()>& call);
// The field that an invalid argument names; "none" if nothing is thrown.
[[nodiscard]] std::string blamed_by(const std::function<void()>& call);

}  // namespace chirp::test
