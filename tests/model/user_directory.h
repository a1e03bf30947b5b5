// The user directory in memory: the model that the stored one is compared with.
//
// Keeps every promise of core/ports/user_directory.h but durability, by looking through all users
// each time. One thread at a time.
#pragma once

#include <map>
#include <set>

#include "core/ports/user_directory.h"
#include "tests/model/media_store.h"

namespace chirp::model {

class ModelUserDirectory : public UserDirectory {
 public:
  // `machine` is the number in the live ids: snowflake::kMachineMin … kMachineMax.
  explicit ModelUserDirectory(std::uint32_t machine = snowflake::kMachineDefault);

  User add(const NewUser& user, Time now) override;
  std::vector<LoadedUserResult> load(std::span<const LoadedUser> users, Time now) override;
  std::vector<User> restore(std::span<const User> users) override;

  [[nodiscard]] std::optional<User> look_up(const SoughtUser& who) const override;
  [[nodiscard]] std::optional<std::string> password_hash(UserNumber number) const override;
  [[nodiscard]] UserMatches list(const UserQuery& query) const override;
  [[nodiscard]] std::vector<User> walk(UserNumber bound, Direction direction,
                                       std::uint32_t limit) const override;
  [[nodiscard]] std::uint64_t count() const override { return rows_.size(); }
  [[nodiscard]] std::uint64_t count_suspended() const override;

  User edit(UserNumber number, const UserEdit& edit) override;
  bool replace_hash(UserNumber number, std::string_view before, std::string_view after) override;
  bool remove(UserNumber number) override;

  [[nodiscard]] std::vector<PendingCard> due_cards(std::uint32_t limit) const override;
  [[nodiscard]] bool is_card_due(UserNumber user) const override { return due_.contains(user); }
  void settle_cards(std::span<const PendingCard> settled) override;

  void set_leaving(UserNumber number, bool leaving) override;
  [[nodiscard]] std::vector<UserNumber> removals() const override {
    return {leaving_.begin(), leaving_.end()};
  }

  std::string add_token(UserNumber user, Time now, std::optional<Time> expires_at) override;
  [[nodiscard]] std::optional<TokenRecord> held_token(std::string_view token,
                                                      Time now) const override;
  std::uint64_t revoke(const RevokedTokens& which) override;
  [[nodiscard]] std::vector<Session> sessions(UserNumber user, std::string_view token, Time now,
                                              const std::optional<Session>& after,
                                              std::uint32_t limit) const override;
  [[nodiscard]] std::optional<std::uint64_t> version() const override { return version_; }
  [[nodiscard]] MediaStore& media() override { return media_; }
  [[nodiscard]] std::vector<std::string> problems() const override { return {}; }
  void rebuild_indexes() override {}

 private:
  struct Row {
    User user;
    std::optional<std::string> password;
  };

  template <class Predicate>
  [[nodiscard]] std::optional<User> first(Predicate predicate) const;
  // Throws if a value that must be unique is there.
  void check_free(const User& user) const;
  User& insert(Row row);
  LoadedUserResult load_one(const LoadedUser& loaded, Time now);
  LoadedUserResult rename(Row& row, const LoadedUser& loaded, Time now);
  [[nodiscard]] std::string free_name(const std::string& name, UserNumber for_whom, Time now) const;
  [[nodiscard]] bool is_free(std::string_view name, UserNumber for_whom, Time now) const;
  [[nodiscard]] UserId loaded_id(Time time) const;

  std::uint32_t machine_;
  std::uint64_t version_ = 1;
  std::map<UserNumber, Row> rows_;
  std::set<UserId> used_ids_;  // by whoever is there or ever was
  std::set<UserNumber> leaving_;
  std::uint64_t note_due(UserNumber user);
  // The name they have becomes their old one, and nobody else's.
  void put_old_name(Row& row, Time now);
  std::map<UserNumber, std::uint64_t> due_;
  std::uint64_t last_due_ = 0;
  std::uint32_t last_number_ = 0;
  std::uint64_t last_id_ = 0;  // the floor of live ids
  struct Token {
    UserNumber user;
    std::optional<Time> expires_at;
    Time created_at{};
  };
  // Removes the oldest of a user's expiring tokens past the bound, but never `newest`.
  void forget_oldest_token(UserNumber user, std::string_view newest, Time now);
  std::map<std::string, Token, std::less<>> tokens_;
  ModelMediaStore media_{*this};
};

}  // namespace chirp::model
