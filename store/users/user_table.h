// The rows of a user directory as the rules of changing users see them, whatever store has them.
//
// It lives as long as one write transaction that has the writers' turn: nobody else changes a user
// meanwhile, and what a rule has found free stays free. What a rule throws undoes the transaction.
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
  // Whether any old name leads to somebody.
  [[nodiscard]] virtual bool has_old_names(Time now) = 0;
  // Whether it is an upload of theirs that is there to stay.
  [[nodiscard]] virtual bool has_upload(UserNumber owner, MediaId upload) = 0;

  // Inserts the row with the next number (that of `user` is not looked at), and returns it; empty,
  // and nothing changed, if the id, the name, the address or the source id is taken. Nobody has the
  // old name, if there is one.
  [[nodiscard]] virtual std::optional<UserNumber> insert(
      const User& user, const std::optional<std::string>& password_hash) = 0;
  // The same of many users without passwords, in less time. They get their numbers, one above the
  // other; or nothing has changed, and false is returned, if something of one of them is taken, or
  // the store can't take these at once.
  [[nodiscard]] virtual bool insert_many(std::span<User> users) = 0;
  // How many it takes at once.
  [[nodiscard]] virtual std::size_t most_at_once() const = 0;
  // Puts `after` in the place of `before`, of whom the row has the same number and id. Nobody else
  // has its names and its address. The password stays as it is.
  virtual void replace(const User& before, const User& after) = 0;
  // Whoever was called so, and is not any more, is not found by that name any longer.
  virtual void free_old_name(std::string_view name) = 0;
  virtual void set_password(UserNumber user, std::string_view hash) = 0;
  // All of a user's but `kept`.
  virtual void forget_tokens(UserNumber user, std::string_view kept) = 0;
  // With all that belongs to the row.
  virtual void erase(const User& user) = 0;

  // The DueCard::due that it gets.
  virtual std::uint64_t note_due_card(UserNumber user) = 0;
  // Of all users from `first` on, in the order of their numbers; the last one's.
  virtual std::uint64_t note_due_cards_from(UserNumber first) = 0;

  // ---- ids
  // The floor of live ids.
  [[nodiscard]] virtual std::uint64_t last_id() = 0;
  virtual void set_last_id(std::uint64_t id) = 0;
  // Of each of these milliseconds since 2000, the highest id of snowflake::kLoadMachine that a user
  // has, or had and retired; 0 if there is none.
  [[nodiscard]] virtual std::vector<std::uint64_t> highest_loaded(
      std::span<const std::uint64_t> ticks) = 0;
  // An id that the floor does not keep from coming again.
  virtual void retire(UserId id) = 0;
};

}  // namespace chirp::users
