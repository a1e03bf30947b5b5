#include "tests/support/thrown.h"

#include <doctest/doctest.h>

namespace chirp::test {

std::optional<Error> thrown_by(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

std::optional<ErrorCode> code_of(const std::function<void()>& call) {
  const auto error = thrown_by(call);
  if (!error) return std::nullopt;
  return error->code();
}

Error error_of(const std::function<void()>& call) {
  const auto error = thrown_by(call);
  REQUIRE_MESSAGE(error, "no Error");
  return *error;
}

std::string blamed_by(const std::function<void()>& call) {
  const auto error = thrown_by(call);
  if (!error) return "none";
  CHECK(error->code() == ErrorCode::kInvalidArgument);
  CHECK(std::string(error->what()).size() > 10);
  return error->field();
}

}  // namespace chirp::test
