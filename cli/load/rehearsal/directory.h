// The user directory of a dry run: what loads change stays in memory (newcomers.h), over what is
// there. What no load asks for is not answered.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/load/rehearsal/media.h"
#include "cli/load/rehearsal/newcomers.h"

namespace chirp::cli::rehearsal {

class RehearsedDirectory final : public UserDirectory {
 public:
  // `below` is null if there is none.
  RehearsedDirectory(UserDirectory* below, Newcomers& users)
      : below_(below), users_(users), media_(below == nullptr ? nullptr : &below->media()) {}

  [[nodiscard]] std::optional<User> look_up(const SoughtUser& who) const override {
    return users_.look_up(who);
  }
  std::vector<LoadedUserResult> load(std::span<const LoadedUser> users, Time now) override;
  User edit(UserNumber number, const UserEdit& edit) override;
  [[nodiscard]] MediaStore& media() override { return media_; }
  [[nodiscard]] std::vector<User> walk(UserNumber bound, Direction direction,
                                       std::uint32_t limit) const override {
    return below_ == nullptr ? std::vector<User>() : below_->walk(bound, direction, limit);
  }
  [[nodiscard]] std::vector<DueCard> due_cards(std::uint32_t limit) const override {
    return below_ == nullptr ? std::vector<DueCard>() : below_->due_cards(limit);
  }
  [[nodiscard]] bool is_card_due(UserNumber /*user*/) const override { return false; }
  void settle_cards(std::span<const DueCard> /*settled*/) override {}
  void set_leaving(UserNumber /*number*/, bool /*leaving*/) override {}
  [[nodiscard]] std::vector<UserNumber> removals() const override { return {}; }

  // ---- not asked by loads
  User add(const NewUser& /*user*/, Time /*now*/) override { return {}; }
  [[nodiscard]] std::optional<std::string> password_hash(UserNumber /*number*/) const override {
    return std::nullopt;
  }
  [[nodiscard]] UserMatches list(const UserQuery& /*query*/) const override { return {}; }
  [[nodiscard]] std::uint64_t count() const override { return 0; }
  [[nodiscard]] std::uint64_t count_suspended() const override { return 0; }
  bool replace_hash(UserNumber /*number*/, std::string_view /*before*/,
                    std::string_view /*after*/) override {
    return false;
  }
  bool remove(UserNumber /*number*/) override { return false; }
  std::vector<User> restore(std::span<const User> /*users*/) override { return {}; }
  std::string add_token(UserNumber /*user*/, Time /*now*/,
                        std::optional<Time> /*expires_at*/) override {
    return {};
  }
  [[nodiscard]] std::optional<HeldToken> held_token(std::string_view /*token*/,
                                                    Time /*now*/) const override {
    return std::nullopt;
  }
  std::uint64_t revoke(const RevokedTokens& /*which*/) override { return 0; }
  [[nodiscard]] std::vector<Session> sessions(UserNumber /*user*/, std::string_view /*token*/,
                                              Time /*now*/, const std::optional<Session>& /*after*/,
                                              std::uint32_t /*limit*/) const override {
    return {};
  }
  [[nodiscard]] std::vector<std::string> problems() const override { return {}; }
  void rebuild_indexes() override {}

 private:
  UserDirectory* below_;
  Newcomers& users_;
  RehearsedMedia media_;
};

}  // namespace chirp::cli::rehearsal
