// The users of a database, within one transaction that holds the users' turn.
#pragma once

#include "store/users/sql_user_table.h"

namespace chirp::postgres {

class Connection;
class PostgresSession;
struct UsersState;

class PostgresUserTable final : public users::SqlUserTable {
 public:
  PostgresUserTable(PostgresSession& session, UsersState& state);

  // commit() of the transaction stores it.
  [[nodiscard]] UsersState& state() { return state_; }

  [[nodiscard]] std::optional<UserNumber> insert(
      const User& user, const std::optional<std::string>& password_hash) override;
  [[nodiscard]] bool insert_many(std::span<User> users) override;
  [[nodiscard]] std::size_t most_at_once() const override;
  void erase(const User& user) override;
  std::uint64_t note_due_card(UserNumber user) override;
  std::uint64_t note_due_cards_from(UserNumber first) override;
  [[nodiscard]] std::uint64_t last_id() override;
  void set_last_id(std::uint64_t id) override;
  [[nodiscard]] std::vector<std::uint64_t> highest_loaded(
      std::span<const std::uint64_t> ticks) override;

 private:
  Connection& connection_;
  UsersState& state_;
};

}  // namespace chirp::postgres
