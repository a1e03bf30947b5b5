// A connection to the database of users, borrowed for one call, on SQLite or PostgreSQL.
//
//   const auto session = lend();
//   session->begin(SqlSession::Turn::kUsers);
//   session->send("delete from leaving where number = $1::int8", number.value);
//   session->commit(CachedRows::kStale);  // without it, the end of the session rolls back
//
// Belongs to one thread. Throws the errors of its database.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/ports/storage.h"
#include "store/users/match.h"
#include "store/users/sql.h"
#include "store/users/user_table.h"

namespace chirp::users {

// What the two databases call differently.
struct Dialect {
  std::string_view state;       // the table with one row about all users
  std::string_view token_user;  // the column of `tokens` with the user's number
  std::string_view suspended;   // the condition of the index on suspended users
  // Compares names and addresses in lower case: `{lower}(column) = $1::text`, with a folded value.
  std::string_view lower;
  std::string_view for_update;  // locks the selected rows
  std::string_view not_doomed;  // excludes uploads whose removal has begun
  // The text that the search for names has of a user: to select it, and to set it to `$9::text`.
  // Empty if the database derives it from the names.
  std::string_view select_searched;
  std::string_view set_searched;
};

// Whether a commit may have changed a token or an existing user, which others may have cached.
enum class CachedRows : bool { kValid, kStale };

class SqlSession {
 public:
  SqlSession() = default;
  virtual ~SqlSession() = default;
  SqlSession(const SqlSession&) = delete;
  SqlSession& operator=(const SqlSession&) = delete;

  // Runs a query. Its rows must be read before the next statement with the same text.
  template <class... Values>
  [[nodiscard]] std::unique_ptr<SqlRows> rows(std::string_view sql, const Values&... values) {
    return query(sql, std::array<SqlValue, sizeof...(Values)>{SqlValue(values)...});
  }
  // Runs a statement. Returns the number of rows that it changed.
  template <class... Values>
  std::int64_t change(std::string_view sql, const Values&... values) {
    return run(sql, std::array<SqlValue, sizeof...(Values)>{SqlValue(values)...});
  }
  // The same, but a remote database may get the statement only together with the next one.
  template <class... Values>
  void send(std::string_view sql, const Values&... values) {
    enqueue(sql, std::array<SqlValue, sizeof...(Values)>{SqlValue(values)...});
  }

  // What a session is for: kBulk is many users of a load.
  enum class Work : bool { kFew, kBulk };

  // Begins a write transaction, unless one is open. With kUsers it holds the turn for changes of
  // users. With kNone, each round trip to PostgreSQL is a transaction, and SQLite takes the turn.
  enum class Turn : bool { kNone, kUsers };
  virtual void begin(Turn turn, SpaceUse use = SpaceUse::kKeeps) = 0;
  // Durable on return.
  virtual void commit(CachedRows cached) = 0;
  // The rows for the rules of changes, after begin(Turn::kUsers).
  [[nodiscard]] virtual UserTable& users() = 0;

  // Returns the users of a page, in order, and the one after them.
  [[nodiscard]] virtual std::vector<User> listed(const UserQuery& query, const Plan& plan) = 0;
  // Whether more than limits::kMatchCandidatesMax names have all trigrams of these texts, each of
  // at least three characters. Counts no further.
  [[nodiscard]] virtual bool is_common(const std::vector<std::string>& texts) = 0;

  [[nodiscard]] virtual const Dialect& dialect() const = 0;
  // Returns the error for damaged rows: `fault` is a clause.
  [[nodiscard]] virtual Error damage(std::string_view fault) const = 0;

 protected:
  virtual std::unique_ptr<SqlRows> query(std::string_view sql,
                                         std::span<const SqlValue> values) = 0;
  virtual std::int64_t run(std::string_view sql, std::span<const SqlValue> values) = 0;
  virtual void enqueue(std::string_view sql, std::span<const SqlValue> values) = 0;
};

}  // namespace chirp::users
