// A connection to the users in a database, borrowed for one call: store/users/session.h.
//
// A text that PostgreSQL can't store, UTF-8 without NUL, must not be given to a statement.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/postgres/users/user_table.h"
#include "store/postgres/users/users_state.h"
#include "store/users/session.h"

namespace chirp::postgres {

// The rows of a result. A null number is 0.
class ResultRows final : public users::SqlRows {
 public:
  explicit ResultRows(Result result) : result_(std::move(result)) {}

  bool next() override { return ++row_ < result_.rows(); }
  [[nodiscard]] bool is_null(int column) const override { return result_.is_null(row_, column); }
  [[nodiscard]] std::int64_t integer(int column) const override {
    return result_.number(row_, column);
  }
  [[nodiscard]] std::string text(int column) const override { return result_.text(row_, column); }

 private:
  Result result_;
  int row_ = -1;
};

class PostgresSession final : public users::SqlSession {
 public:
  explicit PostgresSession(Connections& connections);
  // Uses `held`, if it is a loan; it must outlive this.
  PostgresSession(Connections& connections, std::optional<Connections::Loan>& held);

  void begin(Turn turn = Turn::kUsers, SpaceUse use = SpaceUse::kKeeps) override;
  void commit(users::CachedRows cached) override;
  [[nodiscard]] PostgresUserTable& users() override { return *table_; }
  [[nodiscard]] bool is_common(const std::vector<std::string>& texts) override;
  [[nodiscard]] std::vector<User> listed(const UserQuery& query, const users::Plan& plan) override;
  [[nodiscard]] const users::Dialect& dialect() const override;
  [[nodiscard]] Error damage(std::string_view fault) const override;

  [[nodiscard]] Connection& connection() const { return *connection_; }

 private:
  std::unique_ptr<users::SqlRows> query(std::string_view sql,
                                        std::span<const users::SqlValue> values) override;
  std::int64_t run(std::string_view sql, std::span<const users::SqlValue> values) override;
  void enqueue(std::string_view sql, std::span<const users::SqlValue> values) override;

  Connections& connections_;
  std::optional<Connections::Loan> loan_;
  Connection* connection_;
  std::optional<UsersTransaction> transaction_;
  std::optional<PostgresUserTable> table_;
};

}  // namespace chirp::postgres
