#include "server/api/credentials.h"

#include "server/api/app_state.h"
#include "server/api/client.h"
#include "server/engine/hashing_pool.h"

namespace chirp::api {
namespace {

bool is_right_for(const Call& call, HashingFor what, const LoginAttempt& attempt,
                  const std::optional<User>& user, const std::string& password) {
  LoginFailures& failures = call.state().logins;
  const auto settings = call.state().settings.get();
  const FailuresMost most{settings->login_failures, settings->login_failures_address};
  failures.check(attempt, most);
  const HashingFrom from(what, attempt.address, failures.standing(attempt));
  const bool matches = call.engine().accounts().is_password(user, password);
  failures.check(attempt, most);
  // A refused right password also counts as a failure, so that attackers see no difference.
  const bool right = matches && !failures.is_spent(attempt, most.of_name);
  if (right) {
    failures.succeeded(attempt);
  } else {
    failures.failed(attempt);
  }
  return right;
}

std::optional<UserNumber> number_of(const std::optional<User>& user) {
  if (!user) return std::nullopt;
  return user->number;
}

}  // namespace

bool is_right(const Call& call, const Guess& guess) {
  const std::string client = client_key_of(call.client());
  return is_right_for(call, HashingFor::kLogIn, {guess.typed, number_of(guess.user), client},
                      guess.user, guess.password);
}

void check_current_password(const Call& call, const std::string& password) {
  const std::string client = client_key_of(call.client());
  const LoginAttempt attempt{{}, call.me().number, client};
  if (is_right_for(call, HashingFor::kChange, attempt, call.me(), password)) return;
  throw forbidden("currentPassword is wrong. Nothing was changed.");
}

}  // namespace chirp::api
