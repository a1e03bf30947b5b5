// An error in the API's format (RFC 9457), and the conversion from Error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "server/http/exchange.h"

namespace chirp::api {

struct FieldError {
  std::string field;    // a field of the body (`mediaIds[1]`), a query parameter or a header
  std::string message;  // continues the field's name: "is taken"
};

// Thrown by handlers, caught at the edge.
struct Problem {
  int status = 500;
  std::string_view code = "internal";  // from the contract's table
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
[[nodiscard]] Problem bad_token();  // 401 for an invalid token
// 429; the client may retry after `seconds`.
[[nodiscard]] Problem rate_limited(std::string detail, std::int64_t seconds);

// Converts an exception of a use case. {kInvalidArgument} becomes 422, since parameters were read
// before. A 500, 503 or 507 gives no details, because messages of stores name files.
[[nodiscard]] Problem problem_of(const Error& error);
[[nodiscard]] http::Response answer_with(const Problem& problem);
// Returns the problem for a request that failed before it reached an App.
[[nodiscard]] Problem refusal_problem(const http::Refusal& refusal);

}  // namespace chirp::api
