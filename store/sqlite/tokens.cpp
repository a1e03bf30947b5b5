#include "store/sqlite/tokens.h"

#include <limits>
#include <utility>

#include "core/error.h"
#include "core/limits.h"
#include "store/secrets.h"
#include "store/sqlite/user_directory.h"

namespace chirp::sqlite {

void forget_tokens(Connection& connection, UserNumber user, std::string_view kept) {
  connection.run("DELETE FROM tokens WHERE user = ?1 AND hash != ?2", user.value,
                 store::sha256(kept));
}

namespace {

// Removes tokens above limits::kSessionsMax, those that expire first; never `newest`, whatever its
// expiry.
void forget_oldest_tokens(Connection& connection, UserNumber user, std::string_view newest,
                          Time now) {
  connection.run(
      "DELETE FROM tokens WHERE user = ?1 AND expires_at IS NOT NULL AND hash != ?2 AND hash NOT "
      "IN "
      "(SELECT hash FROM tokens WHERE user = ?1 AND expires_at IS NOT NULL AND hash != ?2 "
      "ORDER BY expires_at > ?4 DESC, created_at DESC LIMIT ?3)",
      user.value, store::sha256(newest), limits::kSessionsMax - 1, now.ms);
}

}  // namespace

std::string SqliteUserDirectory::add_token(UserNumber user, Time now,
                                           std::optional<Time> expires_at) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  const std::string token = store::random_token();
  std::optional<std::int64_t> end;
  if (expires_at) end = expires_at->ms;
  Transaction transaction(connection);
  connection.run(
      "INSERT INTO tokens (hash, user, created_at, expires_at) SELECT ?1, number, ?3, ?4 "
      "FROM users WHERE number = ?2 AND number NOT IN (SELECT number FROM leaving)",
      store::sha256(token), user.value, now.ms, end);
  if (connection.changed() != 1) {
    throw Error(ErrorCode::kNotFound, "That user is not there any more. Nothing was changed.");
  }
  bool forgot = false;
  if (end) {
    forget_oldest_tokens(connection, user, token, now);
    forgot = connection.changed() != 0;
  }
  if (forgot) {
    transaction.commit();
  } else {
    version_.commit_unmoved(transaction);
  }
  return token;
}

// Compares hashes, so that the duration reveals nothing about any token.
std::optional<TokenRecord> SqliteUserDirectory::held_token(std::string_view token, Time now) const {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Rows rows = connection.rows(
      "SELECT user, expires_at FROM tokens WHERE hash = ?1 AND (expires_at IS NULL OR expires_at > "
      "?2) "
      "AND user NOT IN (SELECT number FROM leaving)",
      store::sha256(token), now.ms);
  if (!rows.next()) return std::nullopt;
  TokenRecord held{UserNumber{static_cast<std::uint32_t>(rows.integer(0))}, std::nullopt};
  if (!rows.is_null(1)) held.expires_at = Time{rows.integer(1)};
  return held;
}

std::uint64_t SqliteUserDirectory::revoke(const RevokedTokens& which) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Transaction transaction(connection);
  if (const auto* token = std::get_if<std::string_view>(&which)) {
    connection.run("DELETE FROM tokens WHERE hash = ?1", store::sha256(*token));
  } else if (const auto* all = std::get_if<AllTokens>(&which)) {
    forget_tokens(connection, all->user, all->kept);
  } else {
    const auto& [user, session] = std::get<SessionToken>(which);
    connection.run("DELETE FROM tokens WHERE user = ?1 AND substr(hash, 1, ?2) = ?3", user.value,
                   store::kSessionIdSize, session);
  }
  const auto revoked = static_cast<std::uint64_t>(connection.changed());
  transaction.commit();
  return revoked;
}

// ---- as their owner sees them

std::vector<Session> SqliteUserDirectory::sessions(UserNumber user, std::string_view token,
                                                   Time now, const std::optional<Session>& after,
                                                   std::uint32_t limit) const {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Rows rows = connection.rows(
      "SELECT substr(hash, 1, ?1), created_at, expires_at, hash = ?7 FROM tokens WHERE user = ?2 "
      "AND (expires_at IS NULL OR expires_at > ?3) "
      "AND (created_at < ?4 OR (created_at = ?4 AND substr(hash, 1, ?1) > ?5)) "
      "ORDER BY created_at DESC, hash LIMIT ?6",
      store::kSessionIdSize, user.value, now.ms,
      after ? after->created_at.ms : std::numeric_limits<std::int64_t>::max(),
      after ? after->id : std::string(), limit, store::sha256(token));
  std::vector<Session> sessions;
  while (rows.next()) {
    Session session{rows.text(0), Time{rows.integer(1)}, std::nullopt, false};
    if (!rows.is_null(2)) session.expires_at = Time{rows.integer(2)};
    session.current = rows.integer(3) != 0;
    sessions.push_back(std::move(session));
  }
  return sessions;
}

}  // namespace chirp::sqlite
