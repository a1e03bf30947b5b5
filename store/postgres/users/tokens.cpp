#include "store/postgres/users/tokens.h"

#include <limits>
#include <utility>
#include <variant>

#include "core/error.h"
#include "core/limits.h"
#include "store/postgres/users/user_row.h"
#include "store/postgres/users/users.h"
#include "store/secrets.h"

namespace chirp::postgres {
namespace {

// Deletes the user's expiring tokens beyond limits::kSessionsMax, earliest expiry first, but never
// `newest`, whatever the clock says. Returns how many.
std::int64_t forget_oldest_tokens(Connection& connection, UserNumber user,
                                  const std::string& newest, Time now) {
  const Result forgotten = connection.run(
      "delete from tokens where usr = $1::int8 and expires_at is not null and hash <> $2::text and "
      "hash not in (select hash from tokens where usr = $1::int8 and expires_at is not null "
      "and hash <> $2::text order by expires_at > $4::int8 desc, created_at desc "
      "limit $3::int8)",
      Params().int8(user.value).text(newest).int8(limits::kSessionsMax - 1).int8(now.ms));
  return forgotten.changed();
}

void send_revoke(Connection& connection, const RevokedTokens& which) {
  if (const auto* token = std::get_if<std::string_view>(&which)) {
    return connection.send("delete from tokens where hash = $1::text",
                           Params().text(store::sha256(*token)));
  }
  if (const auto* all = std::get_if<AllTokens>(&which)) {
    return send_forget_tokens(connection, all->user, all->kept);
  }
  const auto& [user, session] = std::get<SessionToken>(which);
  // An invalid session id must match no hash.
  const bool is_id = session.size() == store::kSessionIdSize && can_be_text(session);
  connection.send("delete from tokens where usr = $1::int8 and left(hash, $2::int4) = $3::text",
                  Params()
                      .int8(user.value)
                      .int4(static_cast<std::int32_t>(store::kSessionIdSize))
                      .text(is_id ? session : std::string_view()));
}

}  // namespace

void send_forget_tokens(Connection& connection, UserNumber user, std::string_view kept) {
  connection.send("delete from tokens where usr = $1::int8 and hash <> $2::text",
                  Params().int8(user.value).text(store::sha256(kept)));
}

// A log-in does not wait for others: it takes the turn only if an older session must be removed.
std::string PostgresUserDirectory::add_token(UserNumber user, Time now,
                                             std::optional<Time> expires_at) {
  const auto lent = lend();
  Connection& connection = *lent;
  std::string token = store::random_token();
  const std::string hash = store::sha256(token);
  Params row;
  row.text(hash).int8(user.value).int8(now.ms);
  postgres::add(row, expires_at ? std::optional(expires_at->ms) : std::nullopt);
  connection.send(
      "insert into tokens (hash, usr, created_at, expires_at) "
      "select $1::text, number, $3::int8, $4::int8 from users where number = $2::int8 "
      "and not exists (select 1 from leaving where number = $2::int8)",
      std::move(row));
  connection.send("select count(*) from tokens where usr = $1::int8 and expires_at is not null",
                  Params().int8(user.value));
  const std::vector<Result> results = connection.receive();
  if (results.front().changed() != 1) {
    throw Error(ErrorCode::kNotFound, "That user is not there any more. Nothing was changed.");
  }
  if (expires_at && results.back().number(0, 0) > std::int64_t{limits::kSessionsMax}) {
    UsersTransaction transaction(connections_, connection);
    const bool forgot = forget_oldest_tokens(connection, user, hash, now) != 0;
    transaction.commit(forgot ? UsersTransaction::Change::kMoved : UsersTransaction::Change::kNone);
  }
  return token;
}

// Compares hashes, so that timing reveals nothing about any token.
std::optional<TokenRecord> PostgresUserDirectory::held_token(std::string_view token,
                                                             Time now) const {
  const auto lent = lend();
  const Result found = lent->run(
      "select usr, expires_at from tokens where hash = $1::text and "
      "(expires_at is null or expires_at > $2::int8) and "
      "not exists (select 1 from leaving where number = usr)",
      Params().text(store::sha256(token)).int8(now.ms));
  if (found.empty()) return std::nullopt;
  TokenRecord held{UserNumber{static_cast<std::uint32_t>(found.number(0, 0))}, std::nullopt};
  if (!found.is_null(0, 1)) held.expires_at = Time{found.number(0, 1)};
  return held;
}

std::uint64_t PostgresUserDirectory::revoke(const RevokedTokens& which) {
  const auto lent = lend();
  UsersTransaction transaction(connections_, *lent);
  send_revoke(*lent, which);
  const std::int64_t revoked = lent->receive().back().changed();
  transaction.commit(revoked != 0 ? UsersTransaction::Change::kMoved
                                  : UsersTransaction::Change::kNone);
  return static_cast<std::uint64_t>(revoked);
}

// ---- the owner's view

std::vector<Session> PostgresUserDirectory::sessions(UserNumber user, std::string_view token,
                                                     Time now, const std::optional<Session>& after,
                                                     std::uint32_t limit) const {
  const auto lent = lend();
  const bool is_id = after && can_be_text(after->id);
  const Result rows = lent->run(
      "select left(hash, $1::int4), created_at, expires_at, hash = $7::text from tokens "
      "where usr = $2::int8 and (expires_at is null or expires_at > $3::int8) "
      "and (created_at < $4::int8 or (created_at = $4::int8 and left(hash, $1::int4) > $5::text)) "
      "order by created_at desc, hash limit $6::int8",
      Params()
          .int4(static_cast<std::int32_t>(store::kSessionIdSize))
          .int8(user.value)
          .int8(now.ms)
          .int8(after ? after->created_at.ms : std::numeric_limits<std::int64_t>::max())
          .text(is_id ? after->id : std::string())
          .int8(limit)
          .text(store::sha256(token)));
  std::vector<Session> sessions;
  for (int row = 0; row < rows.rows(); ++row) {
    Session session{rows.text(row, 0), Time{rows.number(row, 1)}, std::nullopt, false};
    if (!rows.is_null(row, 2)) session.expires_at = Time{rows.number(row, 2)};
    session.current = rows.number(row, 3) != 0;
    sessions.push_back(std::move(session));
  }
  return sessions;
}

}  // namespace chirp::postgres
