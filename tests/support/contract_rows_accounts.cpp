#include <fmt/format.h>

#include "tests/support/contract_rows.h"
#include "tests/support/password.h"

namespace chirp::test {
namespace {

PlainAnswer sign_up_taken(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor there = stage.person();
  return stage.ask({"POST", "/v1/users", "",
                    fmt::format(R"({{"username":"{}","email":"a@example.org","password":"{}"}})",
                                there.name, kPassword)});
}

PlainAnswer list_users(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor who = stage.person();
  (void)stage.person();
  return stage.get("/v1/users?match=person&limit=1", who);
}

PlainAnswer list_too_many_users(ApiStage& stage, const DocumentedOperation&) {
  return stage.ask({"GET", "/v1/users?limit=201"});
}

PlainAnswer log_in_wrongly(ApiStage& stage, const DocumentedOperation&) {
  return stage.ask(
      {"POST", "/v1/sessions", "",
       fmt::format(R"({{"username":"{}","password":"not this"}})", stage.person().name)});
}

PlainAnswer log_in_as_two(ApiStage& stage, const DocumentedOperation&) {
  return stage.ask({"POST", "/v1/sessions", "",
                    R"({"username":"mira","email":"mira@example.org","password":"either"})"});
}

PlainAnswer guess_passwords(ApiStage& stage, const DocumentedOperation&) {
  const std::string name = stage.person().name;
  PlainAnswer answer;
  for (int i = 0; i < 4; ++i) {
    answer = stage.ask({"POST", "/v1/sessions", "",
                        fmt::format(R"({{"username":"{}","password":"guess {}"}})", name, i)});
  }
  return answer;
}

PlainAnswer edit_without_password(ApiStage& stage, const DocumentedOperation&) {
  return stage.ask({"PATCH", "/v1/users/me", stage.person().token,
                    R"({"password":"eight dry ones by the pond","currentPassword":"a guess"})"});
}

PlainAnswer edit_to_taken_address(ApiStage& stage, const DocumentedOperation&) {
  const ViewedAuthor there = stage.person();
  return stage.ask({"PATCH", "/v1/users/me", stage.person().token,
                    fmt::format(R"({{"email":"{}@example.org","currentPassword":"{}"}})",
                                there.name, kPassword)});
}

PlainAnswer remove_with_a_guess(ApiStage& stage, const DocumentedOperation&) {
  return stage.ask(
      {"DELETE", "/v1/users/me", stage.person().token, R"({"currentPassword":"a guess"})"});
}

PlainAnswer list_too_many_sessions(ApiStage& stage, const DocumentedOperation&) {
  return stage.get("/v1/sessions?limit=201", stage.person());
}

}  // namespace

std::vector<Row> account_rows() {
  return {
      {"signUp", 201, plainly},
      {"signUp", 409, sign_up_taken},
      {"signUp", 422, senselessly},
      {"listUsers", 200, list_users},
      {"listUsers", 400, list_too_many_users},
      {"logIn", 201, plainly},
      {"logIn", 401, log_in_wrongly},
      {"logIn", 422, log_in_as_two},
      {"logIn", 429, guess_passwords, Setting::kFewLogins},
      {"logOut", 204, plainly},
      {"logOut", 401, twice},
      {"listSessions", 200, plainly},
      {"listSessions", 400, list_too_many_sessions},
      {"listSessions", 401, without_token},
      {"revokeOtherSessions", 204, plainly},
      {"revokeOtherSessions", 401, without_token},
      {"revokeSession", 204, plainly},
      {"revokeSession", 401, without_token},
      {"revokeSession", 404, of_nothing},
      {"getMe", 200, plainly},
      {"getMe", 304, unchanged},
      {"getMe", 401, without_token},
      {"editMe", 200, plainly},
      {"editMe", 401, without_token},
      {"editMe", 403, edit_without_password},
      {"editMe", 409, edit_to_taken_address},
      {"editMe", 422, senselessly},
      {"removeMe", 204, plainly},
      {"removeMe", 401, twice},
      {"removeMe", 403, remove_with_a_guess},
      {"removeMe", 422, senselessly},
      {"getUser", 200, plainly},
      {"getUser", 304, unchanged},
      {"getUser", 404, of_nothing},
  };
}

}  // namespace chirp::test
