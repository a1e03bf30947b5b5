// Operations: signing up, the caller's own account, and other users.
#include <array>
#include <utility>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/chosen_names.h"
#include "core/model/names.h"
#include "core/model/utf8.h"
#include "server/api/call.h"
#include "server/api/client.h"
#include "server/api/credentials.h"
#include "server/api/operations.h"
#include "server/engine/hashing_pool.h"
#include "server/json/cursor.h"
#include "server/json/render.h"
#include "server/limits.h"

namespace chirp::api {
namespace {

// Runs a rule of the core and notes its error, so that all errors are reported at once.
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
  hold(body, display_name, [](const std::string& text) {
    std::string checked = checked_chosen_display_name(text);
    check_strangers_display_name(checked);
    return checked;
  });
  hold(body, bio, [](const std::string& text) { return checked_chosen_bio(text); });
  hold(body, password, [](const std::string& text) { return checked_password(text); });
}

void hold_new_username(JsonBody& body, const std::string& username) {
  try {
    check_chosen_username(username);
  } catch (const Error& error) {
    body.fault("newUsername", error.what());
  }
}

// Returns a User; only the user's own has the e-mail address.
JsonWriter user_body(const Call& call, const social::UserView& view) {
  const bool own = call.caller() && call.me().number == view.user.number;
  JsonWriter body;
  write_user(body, view, own ? Email::kShow : Email::kHide);
  return body;
}

// ---- signing up

http::Response sign_up(Call& call) {
  JsonBody body = call.body();
  const auto username = body.string("username", Need::kRequired);
  social::SignUp wanted;
  wanted.email = body.string("email", Need::kRequired);
  wanted.password = body.string("password", Need::kRequired);
  wanted.display_name = body.string("displayName", Need::kOptional);
  const auto bio = body.string("bio", Need::kOptional);
  hold(body, username, [](const std::string& text) {
    check_chosen_username(text);
    return 0;
  });
  hold_profile(body, wanted.email, wanted.display_name, bio, wanted.password);
  body.check();
  wanted.username = *username;
  wanted.bio = bio.value_or("");
  const HashingFrom from(HashingFor::kSignUp, client_key_of(call.client()));
  const social::UserView view = call.engine().accounts().add(wanted);
  call.concerns(view.user);
  JsonWriter answer;
  write_user(answer, view, Email::kShow);
  return created(answer, "/v1/users/" + std::to_string(view.user.id.value));
}

// ---- the caller's own account

http::Response get_me(Call& call) {
  JsonWriter body = user_body(call, call.engine().accounts().view(call.me()));
  return tagged(call, body);
}

// The core uses other field names.
social::UserView edited(Call& call, const social::AccountEdit& edit) {
  try {
    return call.engine().accounts().edit(call.me(), edit);
  } catch (const Error& error) {
    if (error.field() == "username") throw Error(error.code(), error.what(), "newUsername");
    if (error.field() != "picture") throw;
    throw unprocessable({{"profileMediaId", "is not a picture that you have uploaded"}});
  }
}

// A caller without a password got the token from the operator, so no password is required.
Need need_of_password(const Call& call) {
  return call.me().has_password ? Need::kRequired : Need::kOptional;
}

http::Response edit_me(Call& call) {
  JsonBody body = call.body();
  social::AccountEdit edit;
  edit.display_name = body.string("displayName", Need::kOptional);
  edit.bio = body.string("bio", Need::kOptional);
  edit.email = body.string("email", Need::kOptional);
  // Not `username`: a client that sends the whole account back must not rename it.
  edit.username = body.string("newUsername", Need::kOptional);
  edit.password = body.string("password", Need::kOptional);
  // An unchanged value is not a change.
  if (edit.email && edit.email == call.me().email) edit.email.reset();
  if (edit.username == call.me().username) edit.username.reset();
  if (edit.display_name == call.me().display_name) edit.display_name.reset();
  if (edit.bio == call.me().bio) edit.bio.reset();
  Need need = edit.email || edit.username ? need_of_password(call) : Need::kOptional;
  if (edit.password) need = Need::kRequired;
  const auto current = body.string("currentPassword", need);
  const auto picture = body.id("profileMediaId", Need::kOptional);
  if (edit.username) hold_new_username(body, *edit.username);
  hold_profile(body, edit.email, edit.display_name, edit.bio, edit.password);
  body.check();
  if (picture || body.is_null("profileMediaId")) edit.picture = MediaId{picture.value_or(0)};
  if (need == Need::kRequired) check_current_password(call, *current);
  if (edit.password) edit.kept_token = call.token();
  const HashingFrom from(HashingFor::kChange, client_key_of(call.client()));
  JsonWriter answer = user_body(call, edited(call, edit));
  return stamped(answer);
}

http::Response remove_me(Call& call) {
  const Need need = need_of_password(call);
  JsonBody body = call.body();
  const auto current = body.string("currentPassword", need);
  body.check();
  if (need == Need::kRequired) check_current_password(call, *current);
  call.engine().accounts().hide(call.me());
  return nothing();
}

// ---- other users

http::Response get_user(Call& call) {
  JsonWriter body = user_body(call, call.engine().accounts().view(call.user()));
  return tagged(call, body);
}

social::UserViewPage listed(const Call& call, const UserQuery& query) {
  try {
    return call.engine().accounts().list(query);
  } catch (const Error& error) {
    if (error.field() != "match") throw;
    throw bad_parameter("match", "is too short, or matches too many names: give more of the name");
  }
}

http::Response list_users(Call& call) {
  UserQuery query;
  query.quick = true;
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
    if (!query.after) throw bad_parameter("cursor", "is not a cursor of this list");
  }
  return json(200, write_users, listed(call, query), Email::kHide);
}

using http::Lane;
using http::Method;

}  // namespace

std::span<const Operation> account_calls() {
  static constexpr std::array kOperations{
      Operation{Method::kPost, "/v1/users", "signUp", Access::kNobody, Lane::kPassword, Body::kJson,
                sign_up},
      reading("/v1/users", "listUsers", list_users, Access::kAnybody),
      reading("/v1/users/me", "getMe", get_me),
      // Most edits hash no password. Those that do may wait in this lane: limits::kHashingPlaces
      // bounds them, so enough threads remain for other writers.
      writing(Method::kPatch, "/v1/users/me", "editMe", edit_me, Body::kJson),
      Operation{Method::kDelete, "/v1/users/me", "removeMe", Access::kSomebody, Lane::kPassword,
                Body::kOptionalJson, remove_me},
      reading("/v1/users/{user}", "getUser", get_user, Access::kAnybody),
  };
  return kOperations;
}

}  // namespace chirp::api
