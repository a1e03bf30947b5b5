// The user directory over SQL: the same statements on SQLite and PostgreSQL.
//
// Each call borrows a session. On PostgreSQL a read takes one round trip, and a change two beside
// its look-ups.
#pragma once

#include "store/users/problems.h"
#include "store/users/session.h"

namespace chirp::users {

class SqlUserDirectory : public UserDirectory {
 public:
  // `machine` is that of live ids.
  explicit SqlUserDirectory(std::uint32_t machine) : machine_(machine) {}

  User add(const NewUser& user, Time now) override;
  std::vector<LoadedUserResult> load(std::span<const LoadedUser> users, Time now) override;
  std::vector<User> restore(std::span<const User> users) override;

  [[nodiscard]] std::optional<User> look_up(const SoughtUser& who) const override;
  [[nodiscard]] std::optional<std::string> password_hash(UserNumber number) const override;
  [[nodiscard]] UserMatches list(const UserQuery& query) const override;
  [[nodiscard]] std::vector<User> walk(UserNumber bound, Direction direction,
                                       std::uint32_t limit) const override;
  [[nodiscard]] std::uint64_t count_suspended() const override;

  User edit(UserNumber number, const UserEdit& edit) override;
  bool replace_hash(UserNumber number, std::string_view before, std::string_view after) override;
  bool remove(UserNumber number) override;

  [[nodiscard]] std::vector<PendingCard> due_cards(std::uint32_t limit) const override;
  [[nodiscard]] bool is_card_due(UserNumber user) const override;
  void settle_cards(std::span<const PendingCard> settled) override;

  void set_leaving(UserNumber number, bool leaving) override;
  [[nodiscard]] std::vector<UserNumber> removals() const override;

  std::string add_token(UserNumber user, Time now, std::optional<Time> expires_at) override;
  [[nodiscard]] std::optional<TokenRecord> held_token(std::string_view token,
                                                      Time now) const override;
  std::uint64_t revoke(const RevokedTokens& which) override;
  [[nodiscard]] std::vector<Session> sessions(UserNumber user, std::string_view token, Time now,
                                              const std::optional<Session>& after,
                                              std::uint32_t limit) const override;

 protected:
  [[nodiscard]] virtual std::unique_ptr<SqlSession> lend(
      SqlSession::Work work = SqlSession::Work::kFew) const = 0;
  // Throws Error{kStorageFull} if a load's commit would leave no space for so many users' cards.
  virtual void check_room(std::size_t /*added*/) const {}

  [[nodiscard]] std::uint32_t machine() const { return machine_; }
  // Returns the number that a query selects; 0 without a row.
  [[nodiscard]] std::uint64_t one_number(std::string_view sql) const;
  [[nodiscard]] std::uint64_t floor_of_ids() const;
  // Checks each row, and the text that the search for names has of it. `known` is floor_of_ids().
  void check_rows(std::uint64_t known, Problems& problems) const;

 private:
  // Runs a rule over the rows in the users' turn, and commits.
  template <class Rule>
  auto change(CachedRows cached, SpaceUse use, SqlSession::Work work, Rule rule);

  std::uint32_t machine_;
};

}  // namespace chirp::users
