// Signing up, logging in and out, the caller's own account, and looking people up.
#include <array>
#include <utility>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/names.h"
#include "core/model/utf8.h"
#include "server/api/call.h"
#include "server/api/client.h"
#include "server/api/cursor.h"
#include "server/api/operations.h"
#include "server/api/render.h"
#include "server/limits.h"

namespace chirp::api {
namespace {

constexpr const char* kWrongLogin = "Name and password do not belong together.";

// Notes what a rule of the core's finds wrong, so that all faults are said at once.
template <class Rule>
void hold(JsonBody& body, const std::optional<std::string>& value, Rule rule) {
  if (!value) return;
  try {
    (void)rule(*value);
  } catch (const Error& error) {
    body.fault(error.field(), error.what());
  }
}

void hold_profile(JsonBody& body, const std::optional<std::string>& email,
                  const std::optional<std::string>& display_name,
                  const std::optional<std::string>& bio,
                  const std::optional<std::string>& password) {
  hold(body, email, [](const std::string& text) {
    check_email(text);
    return 0;
  });
  hold(body, display_name, [](const std::string& text) { return checked_display_name(text); });
  hold(body, bio, [](const std::string& text) { return checked_bio(text); });
  hold(body, password, [](const std::string& text) {
    check_password(text);
    return 0;
  });
}

// A User; the e-mail address is for people who look at themselves.
JsonWriter user_body(const Call& call, const social::UserView& view) {
  const bool own = call.caller() && call.me().number == view.user.number;
  JsonWriter body;
  write_user(body, view, own ? Email::kShow : Email::kHide);
  return body;
}

// ---- sessions

http::Response sign_up(Call& call) {
  JsonBody body = call.body();
  const auto username = body.string("username", Need::kRequired);
  social::SignUp wanted;
  wanted.email = body.string("email", Need::kRequired);
  wanted.password = body.string("password", Need::kRequired);
  wanted.display_name = body.string("displayName", Need::kOptional);
  const auto bio = body.string("bio", Need::kOptional);
  hold(body, username, [](const std::string& text) {
    check_username(text);
    return 0;
  });
  hold_profile(body, wanted.email, wanted.display_name, bio, wanted.password);
  body.check();
  wanted.username = *username;
  wanted.bio = bio.value_or("");
  const social::UserView view = call.engine().accounts().add(wanted);
  JsonWriter answer;
  write_user(answer, view, Email::kShow);
  return created(answer, "/v1/users/" + std::to_string(view.user.id.value));
}

// What somebody says to be.
struct Credentials {
  std::optional<std::string> username;
  std::optional<std::string> email;
  std::string password;
};

Credentials credentials_in(JsonBody body) {
  Credentials said;
  said.username = body.string("username", Need::kOptional);
  said.email = body.string("email", Need::kOptional);
  said.password = body.string("password", Need::kRequired).value_or("");
  if (body.has("username") == body.has("email")) {
    body.fault(body.has("email") ? "email" : "username",
               "Say either the username or the e-mail address.");
  }
  body.check();
  return said;
}

std::optional<User> whoever(Engine& engine, const Credentials& said) {
  if (said.email) return engine.accounts().find_email(*said.email);
  if (!is_username(*said.username)) return std::nullopt;
  return engine.accounts().find_name(*said.username);
}

// Who is not there is counted under the name typed, so that nothing tells them from who is.
LoginAttempt attempt_of(const Call& call, const std::optional<User>& user,
                        const std::string& typed) {
  return {user ? "#" + std::to_string(user->number.value) : folded(typed),
          client_key_of(call.client())};
}

// Throws Problem 429 past the bound, whether it is right or not.
bool is_right(const Call& call, const std::optional<User>& user, const LoginAttempt& attempt,
              const std::string& password) {
  LoginFailures& failures = call.state().logins;
  const std::uint64_t most = call.state().settings.get()->login_failures;
  failures.check(attempt, most);
  const bool right = call.engine().accounts().is_password(user, password);
  failures.check(attempt, most);
  if (right) {
    failures.succeeded(attempt);
  } else {
    failures.failed(attempt);
  }
  return right;
}

http::Response log_in(Call& call) {
  const Credentials said = credentials_in(call.body());
  const auto user = whoever(call.engine(), said);
  const LoginAttempt attempt = attempt_of(call, user, said.email ? *said.email : *said.username);
  if (!is_right(call, user, attempt, said.password)) throw unauthenticated(kWrongLogin);
  const social::NewToken session = call.engine().tokens().mint(*user, limits::kSessionMs);
  JsonWriter answer;
  answer.begin_object();
  answer.field("token", session.token);
  answer.field("expiresAt", *session.expires_at);
  answer.key("user");
  write_user(answer, call.engine().accounts().view(*user), Email::kShow);
  answer.end_object();
  return json(201, answer);
}

http::Response log_out(Call& call) {
  call.engine().tokens().revoke_this(call.token());
  return nothing();
}

// ---- the caller's own account

http::Response get_me(Call& call) {
  JsonWriter body = user_body(call, call.engine().accounts().view(call.me()));
  return tagged(call, body);
}

// The core knows the field by another name.
social::UserView edited(Call& call, const social::AccountEdit& edit) {
  try {
    return call.engine().accounts().edit(call.my_name(), edit);
  } catch (const Error& error) {
    if (error.field() != "picture") throw;
    throw unprocessable({{"profileMediaId", "is no picture that you have uploaded"}});
  }
}

http::Response edit_me(Call& call) {
  JsonBody body = call.body();
  social::AccountEdit edit;
  edit.display_name = body.string("displayName", Need::kOptional);
  edit.bio = body.string("bio", Need::kOptional);
  edit.email = body.string("email", Need::kOptional);
  edit.password = body.string("password", Need::kOptional);
  const auto current =
      body.string("currentPassword", body.has("password") ? Need::kRequired : Need::kOptional);
  const auto picture = body.id("profileMediaId", Need::kOptional);
  hold_profile(body, edit.email, edit.display_name, edit.bio, edit.password);
  body.check();
  if (picture || body.is_null("profileMediaId")) edit.picture = MediaId{picture.value_or(0)};
  if (edit.password) {
    edit.kept_token = call.token();
    const LoginAttempt attempt = attempt_of(call, call.me(), {});
    if (!is_right(call, call.me(), attempt, *current)) {
      throw forbidden("currentPassword is wrong. Nothing was changed.");
    }
  }
  JsonWriter answer = user_body(call, edited(call, edit));
  return stamped(answer);
}

http::Response remove_me(Call& call) {
  call.engine().accounts().hide(call.my_name());
  return nothing();
}

// ---- other people

http::Response get_user(Call& call) {
  JsonWriter body = user_body(call, call.engine().accounts().view(call.user()));
  return tagged(call, body);
}

http::Response list_users(Call& call) {
  UserQuery query;
  query.limit = call.limit(chirp::limits::kUserPageDefault, chirp::limits::kUserPageMax);
  if (const auto match = call.query("match")) {
    if (match->empty() || !utf8::is_valid(*match) ||
        utf8::length(*match) > chirp::limits::kMatchMax) {
      throw bad_parameter("match", "takes 1 to 50 characters of UTF-8");
    }
    query.match = *match;
  }
  if (const auto cursor = call.query("cursor")) {
    query.after = parse_name_cursor(*cursor);
    if (!query.after) throw bad_parameter("cursor", "is no cursor of this list");
  }
  JsonWriter body;
  write_users(body, call.engine().accounts().list(query), Email::kHide);
  return json(200, body);
}

using http::Lane;
using http::Method;

constexpr std::array kCalls{
    Operation{Method::kPost, "/v1/users", "signUp", Access::kNobody, Lane::kPassword, Body::kJson,
              sign_up},
    Operation{Method::kGet, "/v1/users", "listUsers", Access::kAnybody, Lane::kRead, Body::kNone,
              list_users},
    Operation{Method::kPost, "/v1/sessions", "logIn", Access::kNobody, Lane::kPassword, Body::kJson,
              log_in},
    Operation{Method::kDelete, "/v1/sessions/current", "logOut", Access::kSomebody, Lane::kWrite,
              Body::kNone, log_out},
    Operation{Method::kGet, "/v1/users/me", "getMe", Access::kSomebody, Lane::kRead, Body::kNone,
              get_me},
    // A new password may be among it.
    Operation{Method::kPatch, "/v1/users/me", "editMe", Access::kSomebody, Lane::kPassword,
              Body::kJson, edit_me},
    Operation{Method::kDelete, "/v1/users/me", "removeMe", Access::kSomebody, Lane::kWrite,
              Body::kNone, remove_me},
    Operation{Method::kGet, "/v1/users/{user}", "getUser", Access::kAnybody, Lane::kRead,
              Body::kNone, get_user},
};

}  // namespace

std::span<const Operation> account_calls() { return kCalls; }

}  // namespace chirp::api
