// Tables of edges whose first row names their columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "cli/input/fields.h"

namespace chirp::cli::input {

// Whether a column with this name holds the follower; for names_followee(), the followee.
[[nodiscard]] bool names_follower(std::string_view name);
[[nodiscard]] bool names_followee(std::string_view name);

// Whether it is another usual name for a column of users, which does not say who follows whom.
[[nodiscard]] bool names_person(std::string_view name);

// Whether the names of the first two columns are known ones of follower and followee, in this
// order or the other way round.
enum class Header : std::uint8_t { kUnknown, kKnown, kReversed };
[[nodiscard]] Header header_of(std::string_view first, std::string_view second);

// Returns the field that a user means by this name, for a column of edges or events; empty if
// unknown.
[[nodiscard]] std::optional<Field> tie_field(std::string_view name);

}  // namespace chirp::cli::input
