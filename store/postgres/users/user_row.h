// A user's row in PostgreSQL.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/user_directory.h"
#include "store/postgres/connection/connection.h"

namespace chirp::postgres {

// `select <columns of a user> from <rest>`; `rest` names the users' table u.
[[nodiscard]] std::string select_users(std::string_view rest);
inline constexpr int kUserColumns = 15;  // a query's own columns follow

// Throws Error{kCorrupt} for a row that breaks the rules of names.
[[nodiscard]] User user_of(const Result& result, int row);
[[nodiscard]] std::vector<User> users_of(const Result& result);

[[nodiscard]] std::optional<User> user_sought(Connection& connection, const SoughtUser& who);
[[nodiscard]] std::optional<User> user_with_source(Connection& connection, const SourceKey& source);

// Whether PostgreSQL can store this text: UTF-8 without NUL. Any other text matches no row.
[[nodiscard]] bool can_be_text(std::string_view text);

// Adds null for an empty optional.
void add(Params& params, std::optional<std::string_view> text);
void add(Params& params, std::optional<std::int64_t> number);
void add(Array& array, std::optional<std::string_view> text);
void add(Array& array, std::optional<std::int64_t> number);

}  // namespace chirp::postgres
