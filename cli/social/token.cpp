// `chirp user token`, `tokens` and `sessions`: secrets that authenticate a user.
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands.h"
#include "cli/danger.h"
#include "cli/lists/list.h"
#include "core/error.h"
#include "core/model/names.h"
#include "core/model/time.h"
#include "server/json/cursor.h"
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

// All tokens of a user.
Loss loss_of_tokens(Engine& engine, const User& user) {
  return {.verb = "revoke",
          .what = fmt::format("every token of {}", user.username),
          .counts = {{"tokens", "token", "tokens", all_sessions(engine, user).size()}}};
}

// Tokens of a suspended user can be listed and revoked, too: they are kept, and valid again
// afterwards.
User owner(Engine& engine, const std::string& name) { return engine.accounts().resolve_kept(name); }

Status revoke(Context& context, const TokenOptions& options) {
  if (options.expires) {
    throw Error(ErrorCode::kInvalidArgument, "Give --expires or --revoke, not both.", "expires");
  }
  const User user = owner(context.engine(), options.name);
  const auto loss = [&] { return loss_of_tokens(context.engine(), user); };
  if (const auto ended = ended_before(context, options.consent, loss)) return *ended;
  const std::uint64_t revoked = context.writing_engine().tokens().revoke(user);
  Output& out = context.out();
  if (!out.wrote_json([&](api::JsonWriter& json) {
        json.begin_object().field("revoked", revoked).end_object();
      })) {
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
    throw Error(ErrorCode::kInvalidArgument, "--yes and --dry-run need --revoke.", "revoke");
  }
  std::optional<std::int64_t> lifetime;
  if (options.expires) lifetime = lifetime_of(*options.expires);
  Engine& engine = context.writing_engine();
  const User user = engine.accounts().resolve(options.name);
  const social::NewToken minted = engine.tokens().mint(user, lifetime);
  Output& out = context.out();
  if (out.wrote_json([&](api::JsonWriter& json) {
        json.begin_object().field("token", minted.token).key("expiresAt");
        if (minted.expires_at) {
          json.time(*minted.expires_at);
        } else {
          json.null();
        }
        json.end_object();
      })) {
    return Status::kDone;
  }
  out.print(minted.token + "\n");
  out.note("Keep it safe: it is shown only once, and anyone who has it can act for " +
           safe(options.name) + ".");
  return Status::kDone;
}

// ---- sessions

struct SessionsOptions {
  std::string name;
  std::optional<std::string> end;
  ListArguments list;
};
struct TokensOptions {
  std::string name;
  ListArguments list;
};

void end_session(Context& context, const SessionsOptions& options) {
  Engine& engine = context.writing_engine();
  const User user = owner(engine, options.name);
  if (!engine.tokens().revoke_session(user, *options.end)) {
    throw Error(ErrorCode::kNotFound,
                fmt::format("{} has no session {}. See chirp user sessions {}.", user.username,
                            printable(*options.end), user.username),
                "end");
  }
  context.out().note(fmt::format("Session {} of {} is ended.", *options.end, user.username));
}

// The stored fields of a token or session; `id` is the name of its id.
FieldNames held_fields(std::string_view id) { return {id, "createdAt", "expiresAt"}; }

void write_token(api::JsonWriter& json, const Session& session) {
  json.begin_object().field("tokenId", session.id).field("createdAt", session.created_at);
  if (session.expires_at) json.field("expiresAt", *session.expires_at);
  json.end_object();
}

void write_session(api::JsonWriter& json, const Session& session) {
  json.begin_object();
  api::write_session_fields(json, session);
  json.end_object();
}

// The user's valid tokens, newest first.
List<Session> tokens_of(Context& context, const std::string& name) {
  List<Session> list;
  list.shape = {.key = "tokens", .none = "None.", .columns = {{"TOKEN"}, {"MADE"}, {"ENDS"}}};
  list.page = [&context, name](const std::optional<ListCursor>& cursor, std::uint32_t limit) {
    const auto after = parsed_cursor(cursor, api::parse_session_cursor);
    Engine& engine = context.engine();
    const User user = owner(engine, name);
    // Reads one more to know whether there are more.
    ListPage<Session> page{engine.tokens().sessions(user, {}, after, limit + 1)};
    if (page.items.size() > limit) {
      page.items.pop_back();
      page.end.next = api::session_cursor(page.items.back());
    }
    return page;
  };
  list.write = write_token;
  list.row = [&context](const Session& session) -> std::vector<std::string> {
    const auto time = [&](Time at) { return when(context.out(), at, context.now()); };
    return {session.id, time(session.created_at),
            session.expires_at ? time(*session.expires_at) : "never"};
  };
  return list;
}

void run_tokens(Context& context, const TokensOptions& options) {
  print_list(context.out(), options.list, tokens_of(context, options.name));
}

void run_sessions(Context& context, const SessionsOptions& options) {
  if (options.end) return end_session(context, options);
  List<Session> list = tokens_of(context, options.name);
  list.shape.key = "sessions";
  list.shape.columns.front().title = "SESSION";
  list.shape.paginated = false;
  list.write = write_session;
  ListArguments whole = options.list;
  whole.paging = {kUserPage};
  whole.all = true;
  print_list(context.out(), whole, list);
}

}  // namespace

void add_user_token(CommandLine& app, Command& noun) {
  {
    auto [verb, options] =
        app.verb<SessionsOptions>(noun,
                                  {"sessions", "List the sessions of an account, or end one.",
                                   "chirp user sessions mira\n"
                                   "chirp user sessions mira --end 9f86d081884c7d65"},
                                  run_sessions);
    verb.page();
    verb.add_option("NAME", options.name, "A username in any case, @username or an id")->required();
    add_text(verb, "--end", options.end, "SESSION", "End this session by revoking its token");
    add_form_arguments(verb, options.list, held_fields("sessionId"));
  }
  {
    auto [verb, options] = app.verb<TokensOptions>(
        noun,
        {"tokens",
         "List the valid tokens of a user, newest first. The tokens themselves are not shown.",
         "chirp user tokens mira\nchirp user tokens mira --all --csv"},
        run_tokens);
    verb.add_option("NAME", options.name, "A username in any case, @username or an id")->required();
    add_list_arguments(verb, options.list, {kUserPage}, held_fields("tokenId"));
  }
  auto [verb, options] =
      app.verb<TokenOptions>(noun,
                             {"token", "Make a token for the API, or revoke all tokens of a user.",
                              "chirp user token mira\n"
                              "chirp user token mira --expires 30d\n"
                              "chirp user token mira --revoke"},
                             run_token);
  verb.add_option("NAME", options.name, "A username in any case, @username or an id")->required();
  add_text(verb, "--expires", options.expires, "TIME",
           "How long it is valid, such as 30d or 12h (default: forever)");
  verb.add_flag("--revoke", options.revoke, "Revoke all tokens; a new password does so too");
  add_consent(verb, options.consent);
}

}  // namespace chirp::cli
