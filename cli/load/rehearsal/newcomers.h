// The users that a dry run has made or renamed, over the existing directory: rows as the rules for
// changes of users see them (store/users).
//
// A user with only a generated name takes some 30 bytes, one with another name some 100 more. One
// thread changes them; any thread may call number_of() and find().
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/load/id_table.h"
#include "core/load/words.h"
#include "core/ports/storage.h"
#include "core/ports/user_directory.h"
#include "store/users/user_table.h"

namespace chirp::cli::rehearsal {

class Newcomers final : public users::UserTable {
 public:
  // Both stores may be null. `words` maps source ids that are words to numbers.
  Newcomers(const Storage* storage, const UserDirectory* directory, load::Words& words);

  // Users with this number and higher were made here.
  [[nodiscard]] bool is_new(UserNumber user) const { return user >= first_; }
  [[nodiscard]] std::optional<UserNumber> number_of(const SourceKey& source) const;
  [[nodiscard]] std::optional<User> find(UserNumber user) const;
  // Call it before loading these users: looks up all of their source ids at once.
  void expect(std::span<const LoadedUser> users);

  // ---- UserTable
  [[nodiscard]] std::optional<User> look_up(const SoughtUser& who) override;
  [[nodiscard]] std::optional<User> sourced(const SourceKey& source) override;
  [[nodiscard]] bool has_old_names(Time /*now*/) override { return directory_ != nullptr; }
  [[nodiscard]] bool has_upload(UserNumber /*owner*/, MediaId /*upload*/) override { return true; }
  [[nodiscard]] std::optional<UserNumber> insert(
      const User& user, const std::optional<std::string>& password_hash) override;
  [[nodiscard]] bool insert_many(std::span<User> /*users*/) override { return false; }
  [[nodiscard]] std::size_t most_at_once() const override { return 1'000; }
  void replace(const User& before, const User& after) override;
  void free_old_name(std::string_view /*name*/) override {}
  void set_password(UserNumber /*user*/, std::string_view /*hash*/) override {}
  void forget_tokens(UserNumber /*user*/, std::string_view /*kept*/) override {}
  void erase(const User& /*user*/) override {}
  // No card is due, because the engine's rows are in the same memory.
  std::uint64_t note_due_card(UserNumber /*user*/) override { return kDue; }
  std::uint64_t note_due_cards_from(UserNumber /*first*/) override { return kDue; }
  [[nodiscard]] std::uint64_t last_id() override { return last_id_; }
  void set_last_id(std::uint64_t id) override { last_id_ = id; }
  [[nodiscard]] std::vector<std::uint64_t> highest_loaded(
      std::span<const std::uint64_t> ticks) override {
    return std::vector<std::uint64_t>(ticks.size());
  }
  void retire(UserId /*id*/) override {}

 private:
  static constexpr std::uint64_t kDue = std::uint64_t{1} << 62;

  // Names are equal regardless of case.
  struct Named {
    std::string name;
    UserNumber user;
    NameOrigin origin;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const;
    std::size_t operator()(const Named& named) const { return (*this)(named.name); }
  };
  struct Same {
    using is_transparent = void;
    bool operator()(const Named& a, const Named& b) const { return (*this)(a, b.name); }
    bool operator()(std::string_view a, const Named& b) const { return (*this)(b, a); }
    bool operator()(const Named& a, std::string_view b) const;
  };

  [[nodiscard]] load::Slot slot(UserNumber user) const { return user.value - first_.value; }
  [[nodiscard]] User made(load::Slot slot) const;
  [[nodiscard]] std::optional<User> named(std::string_view name) const;
  // Returns a user of the directory, with a name that was changed here.
  [[nodiscard]] std::optional<User> as_it_is_now(std::optional<User> user) const;
  void put_name(const User& user);

  const Storage* storage_;
  const UserDirectory* directory_;
  load::Words& words_;
  UserNumber first_;
  std::uint64_t last_id_ = 0;
  mutable std::mutex mutex_;
  // users without a source id have a number that no source has
  load::IdTable sources_;
  std::unordered_set<Named, Hash, Same> names_;  // except names that are made from the id
  std::vector<const Named*> name_of_;            // by slot; may be shorter than the slots
  std::unordered_map<load::Slot, std::string> display_names_;  // of users with made-up names
  std::map<UserNumber, User> changed_;                         // users of the directory
  std::unordered_map<SourceId, UserNumber> expected_;          // existing users in the next batch
};

}  // namespace chirp::cli::rehearsal
