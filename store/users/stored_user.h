// A user's row as stores keep it. Numbers are signed, because SQLite and PostgreSQL have no
// unsigned ones. The display name is null if it equals the username.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/model/user.h"

namespace chirp::users {

struct StoredUser {
  std::int64_t number = 0;
  std::int64_t id = 0;
  std::string username;
  std::optional<std::string> email;
  std::optional<std::string> display_name;
  std::string bio;
  std::int64_t created_at = 0;
  std::optional<std::int64_t> source_id;
  std::optional<std::string> source_word;
  std::int64_t name_origin = 0;
  bool has_password = false;
  std::optional<std::int64_t> picture;
  bool suspended = false;
  std::optional<std::string> old_name;
  std::int64_t old_name_until = 0;  // undefined without an old name
};

// Returns what is wrong with a row, as in "the row of user number 7 has a name that can't be one";
// empty if it follows the rules of names.
[[nodiscard]] std::string fault_of(const StoredUser& row);
// `row` must have no fault.
[[nodiscard]] User user_of(StoredUser row);

// The values of a user's nullable columns.
[[nodiscard]] std::optional<std::string_view> stored_display_name(const User& user);
[[nodiscard]] std::optional<std::int64_t> stored_source_id(const User& user);
[[nodiscard]] std::optional<std::string_view> stored_source_word(const User& user);
[[nodiscard]] std::optional<std::int64_t> stored_picture(const User& user);

// Whether a row can have this id: the most is 63 bits.
[[nodiscard]] bool can_be_stored(std::uint64_t id);

}  // namespace chirp::users
