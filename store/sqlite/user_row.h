// A user's row as it is stored.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/ports/user_directory.h"
#include "store/sqlite/connection.h"

namespace chirp::sqlite {

// `SELECT <columns of a user> FROM users u <rest>`, for user_of.
[[nodiscard]] std::string select_users(std::string_view rest);

// Returns the current row of a query made by select_users. Throws Error{kCorrupt} for a row that
// breaks the rules of names.
[[nodiscard]] User user_of(const Connection& connection, const Rows& rows);

// Inserts the row with the next number (ignoring that of `user`), and returns it. Empty, with
// nothing changed, if the id, name, address or source id is taken. The row is not in the search
// yet.
[[nodiscard]] std::optional<UserNumber> insert_user(
    Connection& connection, const User& user, const std::optional<std::string>& password_hash);
// Likewise for so many loaded users, without address, password and picture, in one statement, which
// takes half the time. Assigns their numbers. Returns false, with nothing changed, if a value of
// any of them is taken.
inline constexpr std::size_t kLoadedAtOnce = 64;
[[nodiscard]] bool insert_loaded(Connection& connection, std::span<User> users);

[[nodiscard]] std::optional<User> user_sought(Connection& connection, const SoughtUser& who);
[[nodiscard]] std::optional<User> user_with_source(Connection& connection, const SourceKey& source);

}  // namespace chirp::sqlite
