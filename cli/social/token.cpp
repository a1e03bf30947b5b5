// `chirp user token` and `chirp user sessions`: secrets that stand for a user.
#include "cli/social/token.h"

#include <fmt/format.h>

#include "cli/danger.h"
#include "cli/table.h"
#include "core/error.h"
#include "core/model/names.h"
#include "core/model/time.h"
#include "server/json/render.h"

namespace chirp::cli {
namespace {

struct TokenOptions {
  std::string name;
  std::optional<std::string> expires;
  bool revoke = false;
  Consent consent;
};

std::vector<Session> all_sessions(Engine& engine, const User& user) {
  constexpr std::uint32_t kPage = 1'000;
  std::vector<Session> all;
  for (;;) {
    const auto after = all.empty() ? std::nullopt : std::optional<Session>(all.back());
    const auto page = engine.tokens().sessions(user, {}, after, kPage);
    all.insert(all.end(), page.begin(), page.end());
    if (page.size() < kPage) return all;
  }
}

// All of somebody's tokens.
Loss loss_of_tokens(Engine& engine, const User& user) {
  return {.verb = "revoke",
          .what = fmt::format("every token of {}", user.username),
          .counts = {{"tokens", "token", "tokens", all_sessions(engine, user).size()}}};
}

Status revoke(Context& context, const TokenOptions& options) {
  if (options.expires) {
    throw Error(ErrorCode::kInvalidArgument, "Say --expires or --revoke, not both.", "expires");
  }
  const User user = context.engine().accounts().resolve(options.name);
  const auto loss = [&] { return loss_of_tokens(context.engine(), user); };
  if (const auto ended = ended_before(context, options.consent, loss)) return *ended;
  const std::uint64_t revoked = context.writing_engine().tokens().revoke(user);
  Output& out = context.out();
  if (out.json()) {
    api::JsonWriter json;
    json.begin_object().field("revoked", revoked).end_object();
    out.document(json);
  } else {
    out.print(fmt::format("Revoked {}.\n", counted(revoked, "token", "tokens")));
  }
  return Status::kDone;
}

std::int64_t lifetime_of(const std::string& text) {
  if (const auto lifetime = parse_duration(text)) return *lifetime;
  throw Error(
      ErrorCode::kInvalidArgument,
      fmt::format("--expires takes a time such as 30d or 12h, not \"{}\".", printable(text)),
      "expires");
}

Status run_token(Context& context, const TokenOptions& options) {
  if (options.revoke) return revoke(context, options);
  if (options.consent.yes || options.consent.dry_run) {
    throw Error(ErrorCode::kInvalidArgument, "--yes and --dry-run go with --revoke.", "revoke");
  }
  std::optional<std::int64_t> lifetime;
  if (options.expires) lifetime = lifetime_of(*options.expires);
  Engine& engine = context.writing_engine();
  const User user = engine.accounts().resolve(options.name);
  const social::NewToken minted = engine.tokens().mint(user, lifetime);
  Output& out = context.out();
  if (out.json()) {
    api::JsonWriter json;
    json.begin_object().field("token", minted.token).key("expiresAt");
    if (minted.expires_at) {
      json.time(*minted.expires_at);
    } else {
      json.null();
    }
    json.end_object();
    out.document(json);
    return Status::kDone;
  }
  out.print(minted.token + "\n");
  out.note("Keep it: it is shown this once, and whoever has it can act for " + safe(options.name) +
           ".");
  return Status::kDone;
}

// ---- what is logged in

struct SessionsOptions {
  std::string name;
  std::optional<std::string> end;
};

Status end_session(Context& context, const SessionsOptions& options) {
  Engine& engine = context.writing_engine();
  const User user = engine.accounts().resolve(options.name);
  if (!engine.tokens().revoke_session(user, *options.end)) {
    throw Error(ErrorCode::kNotFound,
                fmt::format("{} has no session {}. See chirp user sessions {}.", user.username,
                            printable(*options.end), user.username),
                "end");
  }
  context.out().note(fmt::format("Session {} of {} is ended.", *options.end, user.username));
  return Status::kDone;
}

Status run_sessions(Context& context, const SessionsOptions& options) {
  if (options.end) return end_session(context, options);
  Engine& engine = context.engine();
  const std::vector<Session> sessions =
      all_sessions(engine, engine.accounts().resolve(options.name));
  Output& out = context.out();
  if (out.json()) {
    api::JsonWriter json;
    json.begin_object().key("sessions").begin_array();
    for (const Session& session : sessions) {
      json.begin_object();
      api::write_session_fields(json, session);
      json.end_object();
    }
    json.end_array().end_object();
    out.document(json);
    return Status::kDone;
  }
  Table table({{"SESSION"}, {"MADE"}, {"ENDS"}});
  for (const Session& session : sessions) {
    table.row({session.id, when(out, session.created_at, context.now()),
               session.expires_at ? when(out, *session.expires_at, context.now()) : "never"});
  }
  table.print(out);
  if (table.empty()) out.note("None.");
  return Status::kDone;
}

}  // namespace

void add_user_token(App& app, Command& noun) {
  {
    auto [verb, options] = app.verb<SessionsOptions>(
        noun,
        {"sessions", "List what is logged in to an account, or end one of it.",
         "chirp user sessions mira\n"
         "chirp user sessions mira --end 9f86d081884c7d65"},
        run_sessions);
    verb.add_option("NAME", options.name, "A username in any case, @username or an id")->required();
    add_text(verb, "--end", options.end, "SESSION", "Revoke the token of this one");
  }
  auto [verb, options] =
      app.verb<TokenOptions>(noun,
                             {"token", "Make a token for the API, or revoke all of somebody's.",
                              "chirp user token mira\n"
                              "chirp user token mira --expires 30d\n"
                              "chirp user token mira --revoke"},
                             run_token);
  verb.add_option("NAME", options.name, "A username in any case, @username or an id")->required();
  add_text(verb, "--expires", options.expires, "TIME",
           "How long it holds: 30d, 12h; for good unless told");
  verb.add_flag("--revoke", options.revoke, "Revoke all tokens; a new password does so too");
  add_consent(verb, options.consent);
}

}  // namespace chirp::cli
