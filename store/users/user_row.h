// A user's row, as both databases have it. Numbers are signed, because they have no unsigned ones.
// The display name is null if it equals the username.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/user_directory.h"
#include "store/users/session.h"

namespace chirp::users {

// `select <columns of a user><more> from <rest>`; `rest` names the users' table u.
[[nodiscard]] std::string select_users(std::string_view rest, std::string_view more = "");
inline constexpr int kUserColumns = 15;  // `more` columns follow

// Returns the current row of such a query. Throws Error{kCorrupt} if it breaks the rules of names.
[[nodiscard]] User user_of(const SqlSession& session, const SqlRows& rows);
[[nodiscard]] std::vector<User> users_of(const SqlSession& session, SqlRows& rows);

[[nodiscard]] std::optional<User> user_sought(SqlSession& session, const SoughtUser& who);
[[nodiscard]] std::optional<User> user_with_source(SqlSession& session, const SourceKey& source);

// The values of a user's nullable columns.
[[nodiscard]] std::optional<std::string_view> stored_display_name(const User& user);
[[nodiscard]] std::optional<std::int64_t> stored_source_id(const User& user);
[[nodiscard]] std::optional<std::string_view> stored_source_word(const User& user);
[[nodiscard]] std::optional<std::int64_t> stored_picture(const User& user);
[[nodiscard]] std::optional<std::string_view> stored_old_name(const User& user);
[[nodiscard]] std::optional<std::int64_t> stored_old_name_until(const User& user);

// Whether a row can have this id: the most is 63 bits.
[[nodiscard]] bool can_be_stored(std::uint64_t id);
// Whether a row can have this text: UTF-8 without NUL. Any other text matches no row.
[[nodiscard]] bool can_be_text(std::string_view text);

}  // namespace chirp::users
