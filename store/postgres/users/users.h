// The user directory on PostgreSQL (store/postgres/cluster/schema_users.cpp).
//
// Each call borrows a connection. A read takes one round trip, a change takes two beside its
// look-ups.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ports/user_directory.h"
#include "store/postgres/cluster/connections.h"
#include "store/postgres/users/media_rows.h"
#include "store/postgres/users/users_state.h"

namespace chirp::postgres {

class PostgresUserDirectory final : public UserDirectory {
 public:
  // The connections must outlive this. `machine` is that of live ids.
  PostgresUserDirectory(Connections& connections, std::uint32_t machine)
      : connections_(connections), machine_(machine), media_(connections) {}

  User add(const NewUser& user, Time now) override;
  std::vector<LoadedUserResult> load(std::span<const LoadedUser> users, Time now) override;
  std::vector<User> restore(std::span<const User> users) override;

  [[nodiscard]] std::optional<User> look_up(const SoughtUser& who) const override;
  [[nodiscard]] std::optional<std::string> password_hash(UserNumber number) const override;
  [[nodiscard]] UserMatches list(const UserQuery& query) const override;
  [[nodiscard]] std::vector<User> walk(UserNumber bound, Direction direction,
                                       std::uint32_t limit) const override;
  [[nodiscard]] std::uint64_t count() const override;
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

  // The result of the function passed to tell_version(); empty before.
  [[nodiscard]] std::optional<std::uint64_t> version() const override;
  [[nodiscard]] MediaStore& media() override { return media_; }

  [[nodiscard]] std::vector<std::string> problems() const override;
  void rebuild_indexes() override;

  // ---- for the code that opens the database
  // Sets the source of users_version, for a process that shares one look among many requests. Call
  // it before any other thread calls version().
  using Version = std::function<std::optional<std::uint64_t>()>;
  void tell_version(Version version) { version_ = std::move(version); }
  // Reads the version from the database.
  [[nodiscard]] std::uint64_t users_version() const;
  // The last number given to a user, including removed users; kNobody before the first.
  [[nodiscard]] UserNumber last_number() const;
  // From now on all reads see one state. For processes that only read, in one thread.
  void hold();

 private:
  // A loan; after hold(), always the held connection.
  class Lent {
   public:
    explicit Lent(const PostgresUserDirectory& users);
    [[nodiscard]] Connection& operator*() const { return *connection_; }
    [[nodiscard]] Connection* operator->() const { return connection_; }

   private:
    std::optional<Connections::Loan> loan_;
    Connection* connection_;
  };
  [[nodiscard]] Lent lend() const { return Lent(*this); }
  // Runs a change of users in the users' turn.
  template <class Rule>
  auto in_turn(UsersTransaction::Change change, Rule rule);

  Connections& connections_;
  std::uint32_t machine_;
  PostgresMediaStore media_;
  Version version_;
  std::optional<Connections::Loan> held_;
};

}  // namespace chirp::postgres
