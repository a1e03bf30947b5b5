// The users in a SQLite file, within one write transaction.
#pragma once

#include "store/users/sql_user_table.h"

namespace chirp::sqlite {

class Connection;
class SqliteSession;

class SqliteUserTable final : public users::SqlUserTable {
 public:
  explicit SqliteUserTable(SqliteSession& session);

  // Adds the inserted users to the search by names. Call it before the commit.
  void index_inserted();

  [[nodiscard]] std::optional<UserNumber> insert(
      const User& user, const std::optional<std::string>& password_hash) override;
  // Takes exactly most_at_once() loaded users, without address, password and picture: one statement
  // for all takes half the time.
  [[nodiscard]] bool insert_many(std::span<User> users) override;
  [[nodiscard]] std::size_t most_at_once() const override;
  void replace(const User& before, const User& after) override;
  void erase(const User& user) override;
  std::uint64_t note_due_card(UserNumber user) override;
  std::uint64_t note_due_cards_from(UserNumber first) override;
  [[nodiscard]] std::uint64_t last_id() override;
  void set_last_id(std::uint64_t id) override;
  [[nodiscard]] std::vector<std::uint64_t> highest_loaded(
      std::span<const std::uint64_t> ticks) override;

 private:
  Connection& connection_;
  std::optional<UserNumber> first_;  // inserted, and not in the search before index_inserted()
};

}  // namespace chirp::sqlite
