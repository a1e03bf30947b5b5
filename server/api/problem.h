// An error as the API answers it (RFC 9457), and how an Error becomes one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "server/http/exchange.h"

namespace chirp::api {

struct FieldError {
  std::string field;    // of the body (`mediaIds[1]`), a query parameter or a header
  std::string message;  // goes on from the field's name: "is taken"
};

// Thrown by handlers, caught at the edge.
struct Problem {
  int status = 500;
  std::string_view code = "internal";  // of the contract's table
  std::string detail;
  std::vector<FieldError> errors{};
  std::vector<http::Pair> headers{};  // WWW-Authenticate, Retry-After, Allow, …
};

[[nodiscard]] Problem bad_parameter(std::string name, std::string message);  // 400
[[nodiscard]] Problem unreadable(std::string detail);                        // 400
[[nodiscard]] Problem unprocessable(std::vector<FieldError> errors);         // 422
[[nodiscard]] Problem unauthenticated(std::string detail);                   // 401
[[nodiscard]] Problem not_found(std::string detail);                         // 404
[[nodiscard]] Problem forbidden(std::string detail);                         // 403
[[nodiscard]] Problem bad_token();  // 401 of a token that stands for nobody
// 429, to be tried again after so many seconds.
[[nodiscard]] Problem rate_limited(std::string detail, std::int64_t seconds);

// Makes a Problem of what a use case threw. {kInvalidArgument} becomes 422, since parameters have
// been read before. A 500, 503 or 507 does not say what happened: messages of stores name files.
[[nodiscard]] Problem problem_of(const Error& error);
[[nodiscard]] http::Response answer_with(const Problem& problem);
// The problem for a request that failed before it reached an App.
[[nodiscard]] Problem refusal_problem(const http::Refusal& refusal);

}  // namespace chirp::api
