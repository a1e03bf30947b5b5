// Cursors of lists of users, as clients see them: opaque, base64url without padding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/model/ids.h"

namespace chirp::api {

[[nodiscard]] std::string base64url(std::string_view bytes);
// Empty for what base64url() never writes.
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);

// After this username, in a list by username.
[[nodiscard]] std::string name_cursor(std::string_view username);
[[nodiscard]] std::optional<std::string> parse_name_cursor(std::string_view cursor);

// After this user, in a list in the order of arrival.
[[nodiscard]] std::string number_cursor(UserNumber number);
[[nodiscard]] std::optional<UserNumber> parse_number_cursor(std::string_view cursor);

}  // namespace chirp::api
