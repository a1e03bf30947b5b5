// An API with self-service sign-up and removal of accounts.
#pragma once

#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/api_client.h"
#include "tests/support/password.h"

namespace chirp::test {

// The body of a sign-up.
inline std::string sign_up(const std::string& name) {
  return fmt::format(R"({{"username":"{0}","email":"{0}@example.org","password":"{1}"}})", name,
                     kPassword);
}

struct Accounts : ApiClient {
  // Signs up and logs in through the API.
  std::string join(const std::string& name) {
    CHECK(post("/v1/users", "", sign_up(name)).status() == 201);
    return log_in(name);
  }
  std::string log_in(const std::string& name, std::string_view password = kPassword) {
    const Answer answer = post(
        "/v1/sessions", "", fmt::format(R"({{"username":"{}","password":"{}"}})", name, password));
    return answer.status() == 201 ? answer.text("/token") : std::string();
  }
  Answer leave(const std::string& token, std::string_view password) {
    const std::string body = fmt::format(R"({{"currentPassword":"{}"}})", password);
    return ask(http::Method::kDelete, "/v1/users/me", {.token = token, .body = body});
  }
};

}  // namespace chirp::test
