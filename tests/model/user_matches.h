// Which users a query finds, by the definition: each is looked at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/user.h"
#include "core/ports/user_directory.h"

namespace chirp::model {

// Where words are looked for.
enum class Place : std::uint8_t { kAnywhere, kUsernames, kDisplayNames };

using Words = std::vector<std::string>;

// What a query looks for, and where.
struct Wanted {
  Place place = Place::kAnywhere;
  Words words;
};

// Throws Error{kInvalidArgument} with field `match` for a quick query that nothing finds quickly.
[[nodiscard]] Wanted wanted_by(const UserQuery& query, const std::vector<User>& users);
[[nodiscard]] bool answers(const UserQuery& query, const Wanted& wanted, const User& user);

}  // namespace chirp::model
