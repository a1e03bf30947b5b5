// API tokens. Only their hashes are stored, so a leaked copy of the users reveals no token.
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "store/secrets.h"
#include "store/users/sql_user_directory.h"
#include "store/users/sql_user_table.h"
#include "store/users/user_row.h"

namespace chirp::users {
namespace {

// `{0}` in a text is Dialect::token_user, `{1}` is the id of a session.
std::string token_sql(const SqlSession& session, std::string_view text) {
  static const std::string kSessionId = fmt::format("substr(hash, 1, {})", store::kSessionIdSize);
  return fmt::format(fmt::runtime(text), session.dialect().token_user, kSessionId);
}

// Deletes the user's expiring tokens beyond limits::kSessionsMax, earliest expiry first, but never
// `newest`, whatever the clock says. Returns how many.
std::int64_t forget_oldest_tokens(SqlSession& session, UserNumber user, std::string_view newest,
                                  Time now) {
  return session.change(
      token_sql(session,
                "delete from tokens where {0} = $1::int8 and expires_at is not null "
                "and hash <> $2::text and hash not in (select hash from tokens "
                "where {0} = $1::int8 and expires_at is not null and hash <> $2::text "
                "order by expires_at > $4::int8 desc, created_at desc limit $3::int8)"),
      user.value, newest, limits::kSessionsMax - 1, now.ms);
}

std::int64_t delete_revoked(SqlSession& session, const RevokedTokens& which) {
  if (const auto* token = std::get_if<std::string_view>(&which)) {
    return session.change("delete from tokens where hash = $1::text", store::sha256(*token));
  }
  if (const auto* all = std::get_if<AllTokens>(&which)) {
    return session.change(delete_other_tokens(session.dialect()), all->user.value,
                          store::sha256(all->kept));
  }
  const auto& [user, id] = std::get<SessionToken>(which);
  return session.change(
      token_sql(session, "delete from tokens where {0} = $1::int8 and {1} = $2::text"), user.value,
      can_be_text(id) ? id : std::string_view());
}

}  // namespace

// On PostgreSQL a log-in takes the turn only if an older session must be removed.
std::string SqlUserDirectory::add_token(UserNumber user, Time now, std::optional<Time> expires_at) {
  const auto session = lend();
  std::string token = store::random_token();
  const std::string hash = store::sha256(token);
  session->begin(SqlSession::Turn::kNone);
  session->send(token_sql(*session,
                          "insert into tokens (hash, {0}, created_at, expires_at) "
                          "select $1::text, number, $3::int8, $4::int8 from users "
                          "where number = $2::int8 "
                          "and not exists (select 1 from leaving where number = $2::int8)"),
                hash, user.value, now.ms,
                expires_at ? std::optional(expires_at->ms) : std::nullopt);
  bool is_added = false;
  std::int64_t expiring = 0;
  {
    const auto rows = session->rows(
        token_sql(*session,
                  "select (select count(*) from tokens where hash = $1::text), "
                  "(select count(*) from tokens where {0} = $2::int8 and expires_at is not null)"),
        hash, user.value);
    is_added = rows->next() && rows->integer(0) == 1;
    expiring = rows->integer(1);
  }
  if (!is_added) {
    throw Error(ErrorCode::kNotFound, "That user is not there any more. Nothing was changed.");
  }
  CachedRows cached = CachedRows::kValid;
  if (expires_at && expiring > std::int64_t{limits::kSessionsMax}) {
    session->begin(SqlSession::Turn::kUsers);
    if (forget_oldest_tokens(*session, user, hash, now) != 0) cached = CachedRows::kStale;
  }
  session->commit(cached);
  return token;
}

// Compares hashes, so that the duration reveals nothing about any token.
std::optional<TokenRecord> SqlUserDirectory::held_token(std::string_view token, Time now) const {
  const auto session = lend();
  const auto rows =
      session->rows(token_sql(*session,
                              "select {0}, expires_at from tokens where hash = $1::text "
                              "and (expires_at is null or expires_at > $2::int8) "
                              "and not exists (select 1 from leaving where number = {0})"),
                    store::sha256(token), now.ms);
  if (!rows->next()) return std::nullopt;
  TokenRecord held{UserNumber{static_cast<std::uint32_t>(rows->integer(0))}, std::nullopt};
  if (!rows->is_null(1)) held.expires_at = Time{rows->integer(1)};
  return held;
}

std::uint64_t SqlUserDirectory::revoke(const RevokedTokens& which) {
  const auto session = lend();
  session->begin(SqlSession::Turn::kUsers);
  const std::int64_t revoked = delete_revoked(*session, which);
  session->commit(revoked != 0 ? CachedRows::kStale : CachedRows::kValid);
  return static_cast<std::uint64_t>(revoked);
}

// ---- the owner's view

std::vector<Session> SqlUserDirectory::sessions(UserNumber user, std::string_view token, Time now,
                                                const std::optional<Session>& after,
                                                std::uint32_t limit) const {
  const auto session = lend();
  const bool is_id = after && can_be_text(after->id);
  const auto rows = session->rows(
      token_sql(*session,
                "select {1}, created_at, expires_at, hash = $6::text from tokens "
                "where {0} = $1::int8 and (expires_at is null or expires_at > $2::int8) "
                "and (created_at < $3::int8 or (created_at = $3::int8 and {1} > $4::text)) "
                "order by created_at desc, hash limit $5::int8"),
      user.value, now.ms, after ? after->created_at.ms : std::numeric_limits<std::int64_t>::max(),
      is_id ? after->id : std::string(), limit, store::sha256(token));
  std::vector<Session> sessions;
  while (rows->next()) {
    Session found{rows->text(0), Time{rows->integer(1)}, std::nullopt, rows->integer(3) != 0};
    if (!rows->is_null(2)) found.expires_at = Time{rows->integer(2)};
    sessions.push_back(std::move(found));
  }
  return sessions;
}

}  // namespace chirp::users
