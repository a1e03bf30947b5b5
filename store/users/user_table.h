// The rows of a user directory, as the rules of changes see them, for any store.
//
// It exists within one write transaction that has the writers' turn: no other writer changes users
// meanwhile, so a free name stays free. An exception from a rule rolls the transaction back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/user_directory.h"

namespace chirp::users {

class UserTable {
 public:
  virtual ~UserTable() = default;

  [[nodiscard]] virtual std::optional<User> look_up(const SoughtUser& who) = 0;
  [[nodiscard]] virtual std::optional<User> sourced(const SourceKey& source) = 0;
  // Whether an old name still leads to any user.
  [[nodiscard]] virtual bool has_old_names(Time now) = 0;
  // Whether the user has this upload, and it is not about to be removed.
  [[nodiscard]] virtual bool has_upload(UserNumber owner, MediaId upload) = 0;

  // Inserts the row with the next number (`user.number` is ignored), and returns that. Returns
  // empty, without a change, if the id, name, address or source id is taken. The old name, if any,
  // must be free.
  [[nodiscard]] virtual std::optional<UserNumber> insert(
      const User& user, const std::optional<std::string>& password_hash) = 0;
  // Inserts many users without passwords, in less time, and gives them consecutive numbers. Returns
  // false, without a change, if a value of any user is taken, or if the store can't insert these at
  // once.
  [[nodiscard]] virtual bool insert_many(std::span<User> users) = 0;
  // The most users for one insert_many().
  [[nodiscard]] virtual std::size_t most_at_once() const = 0;
  // Replaces the row of `before`, which has the same number and id. No other user may have its
  // names or address. The password stays as it is.
  virtual void replace(const User& before, const User& after) = 0;
  // If this is the old name of a user, it no longer leads to that user.
  virtual void free_old_name(std::string_view name) = 0;
  virtual void set_password(UserNumber user, std::string_view hash) = 0;
  // Deletes all tokens of the user except `kept`.
  virtual void forget_tokens(UserNumber user, std::string_view kept) = 0;
  // Deletes the user's row with everything that belongs to it.
  virtual void erase(const User& user) = 0;

  // Returns the new PendingCard::due.
  virtual std::uint64_t note_due_card(UserNumber user) = 0;
  // For all users from `first` on, in the order of their numbers; returns the last one's due.
  virtual std::uint64_t note_due_cards_from(UserNumber first) = 0;

  // ---- ids
  // The floor of live ids.
  [[nodiscard]] virtual std::uint64_t last_id() = 0;
  virtual void set_last_id(std::uint64_t id) = 0;
  // For each of these milliseconds since 2000, returns the highest id of snowflake::kLoadMachine
  // that a user has, or had and retired; 0 without such an id.
  [[nodiscard]] virtual std::vector<std::uint64_t> highest_loaded(
      std::span<const std::uint64_t> ticks) = 0;
  // Stores an id above the floor that must never be reissued.
  virtual void retire(UserId id) = 0;
};

}  // namespace chirp::users
