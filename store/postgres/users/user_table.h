// The users of a database, within one transaction that holds the users' turn.
#pragma once

#include "store/postgres/users/users_state.h"
#include "store/users/user_table.h"

namespace chirp::postgres {

class PostgresUserTable final : public users::UserTable {
 public:
  PostgresUserTable(Connection& connection, UsersState& state)
      : connection_(connection), state_(state) {}

  [[nodiscard]] std::optional<User> look_up(const SoughtUser& who) override;
  [[nodiscard]] std::optional<User> sourced(const SourceKey& source) override;
  [[nodiscard]] bool has_old_names(Time now) override;
  [[nodiscard]] bool has_upload(UserNumber owner, MediaId upload) override;
  [[nodiscard]] std::optional<UserNumber> insert(
      const User& user, const std::optional<std::string>& password_hash) override;
  [[nodiscard]] bool insert_many(std::span<User> users) override;
  [[nodiscard]] std::size_t most_at_once() const override;
  void replace(const User& before, const User& after) override;
  void free_old_name(std::string_view name) override;
  void set_password(UserNumber user, std::string_view hash) override;
  void forget_tokens(UserNumber user, std::string_view kept) override;
  void erase(const User& user) override;
  std::uint64_t note_due_card(UserNumber user) override;
  std::uint64_t note_due_cards_from(UserNumber first) override;
  [[nodiscard]] std::uint64_t last_id() override;
  void set_last_id(std::uint64_t id) override;
  [[nodiscard]] std::vector<std::uint64_t> highest_loaded(
      std::span<const std::uint64_t> ticks) override;
  void retire(UserId id) override;

 private:
  Connection& connection_;
  UsersState& state_;
};

}  // namespace chirp::postgres
