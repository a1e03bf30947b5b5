// Operations: logging in and out, and the caller's sessions.
#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"
#include "core/limits.h"
#include "core/model/names.h"
#include "core/social/tokens.h"
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

constexpr const char* kWrongLogin = "The name or the password is wrong.";

// The name or e-mail address in a log-in, and the password.
struct Credentials {
  std::optional<std::string> username;
  std::optional<std::string> email;
  std::string password;
};

// Refuses a text longer than any name or address, without a look-up or a password check.
void hold_length(JsonBody& body, const std::string& field,
                 const std::optional<std::string>& value) {
  if (value && value->size() > chirp::limits::kEmailMax) {
    body.fault(field, "is longer than any name or address");
  }
}

Credentials credentials_in(JsonBody body) {
  Credentials said;
  said.username = body.string("username", Need::kOptional);
  said.email = body.string("email", Need::kOptional);
  said.password = body.string("password", Need::kRequired).value_or("");
  hold_length(body, "username", said.username);
  hold_length(body, "email", said.email);
  if (body.has("username") == body.has("email")) {
    body.fault(body.has("email") ? "email" : "username",
               "Give either the username or the e-mail address.");
  }
  body.check();
  return said;
}

// Finds suspended users too: with the right password they learn about the suspension.
std::optional<User> whoever(Engine& engine, const Credentials& said) {
  if (said.email) return engine.accounts().find_kept(AddressedUser{*said.email});
  if (!is_username(*said.username)) return std::nullopt;
  return engine.accounts().find_kept(NamedUser{*said.username});
}

// Hashes the password again if the current cost differs. The log-in succeeds even if that fails.
void renew_hash(const Call& call, const User& user, const std::string& password) {
  try {
    const HashingFrom from(HashingFor::kChange, client_key_of(call.client()));
    call.engine().accounts().renew_hash(user, password);
  } catch (const Error&) {
    // The next log-in tries again.
  }
}

http::Response log_in(Call& call) {
  const Credentials said = credentials_in(call.body());
  const auto user = whoever(call.engine(), said);
  if (user) call.concerns(*user);
  const std::string typed = said.email ? "e " + folded(*said.email) : "u " + folded(*said.username);
  if (!is_right(call, {user, typed, said.password})) throw unauthenticated(kWrongLogin);
  if (user->suspended) throw social::AccountSuspended();
  renew_hash(call, *user, said.password);
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

// ---- the caller's sessions

http::Response list_sessions(Call& call) {
  const std::uint32_t limit =
      call.limit(chirp::limits::kUserPageDefault, chirp::limits::kUserPageMax);
  std::optional<Session> after;
  if (const auto cursor = call.query("cursor")) {
    after = parse_session_cursor(*cursor);
    if (!after) throw bad_parameter("cursor", "is not a cursor of this list");
  }
  std::vector<Session> sessions =
      call.engine().tokens().sessions(call.me(), call.token(), after, limit + 1);
  const bool more = sessions.size() > limit;
  if (more) sessions.pop_back();
  return json(200, write_sessions, sessions, more);
}

http::Response revoke_session(Call& call) {
  if (!call.engine().tokens().revoke_session(call.me(), call.part())) {
    throw not_found("You have no such session.");
  }
  return nothing();
}

http::Response revoke_others(Call& call) {
  (void)call.engine().tokens().revoke_others(call.me(), call.token());
  return nothing();
}

using http::Lane;
using http::Method;

}  // namespace

std::span<const Operation> session_calls() {
  static constexpr std::array kOperations{
      Operation{Method::kPost, "/v1/sessions", "logIn", Access::kNobody, Lane::kPassword,
                Body::kJson, log_in},
      reading("/v1/sessions", "listSessions", list_sessions),
      writing(Method::kDelete, "/v1/sessions", "revokeOtherSessions", revoke_others),
      writing(Method::kDelete, "/v1/sessions/current", "logOut", log_out),
      writing(Method::kDelete, "/v1/sessions/{session}", "revokeSession", revoke_session),
  };
  return kOperations;
}

}  // namespace chirp::api
