// A user's row as PostgreSQL keeps it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/user_directory.h"
#include "store/postgres/connection.h"

namespace chirp::postgres {

// `select <columns of a user> from <rest>`, in which the users are called u.
[[nodiscard]] std::string select_users(std::string_view rest);
inline constexpr int kUserColumns = 15;  // what a query adds stands behind them

// Throws Error{kCorrupt} for a row that breaks the rules of names.
[[nodiscard]] User user_of(const Result& result, int row);
[[nodiscard]] std::vector<User> users_of(const Result& result);

[[nodiscard]] std::optional<User> user_sought(Connection& connection, const SoughtUser& who);
[[nodiscard]] std::optional<User> user_with_source(Connection& connection, const SourceKey& source);

// Whether PostgreSQL can be told this text at all: UTF-8 without NUL. What it can't is in no row.
[[nodiscard]] bool can_be_text(std::string_view text);

// Null for what is not there.
void add(Params& params, std::optional<std::string_view> text);
void add(Params& params, std::optional<std::int64_t> number);
void add(Array& array, std::optional<std::string_view> text);
void add(Array& array, std::optional<std::int64_t> number);

}  // namespace chirp::postgres
