// Tables of edges whose first row names their columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "cli/input/fields.h"

namespace chirp::cli::input {

// Whether a column with this name has who follows, or whom.
[[nodiscard]] bool names_follower(std::string_view name);
[[nodiscard]] bool names_followee(std::string_view name);

// What else tables call columns of users, which does not say who follows whom.
[[nodiscard]] bool names_person(std::string_view name);

// Whether the names of the first two columns are known ones of follower and followee, in this
// order or the other way round.
enum class Header : std::uint8_t { kUnknown, kKnown, kReversed };
[[nodiscard]] Header header_of(std::string_view first, std::string_view second);

// What a column of a table of edges or events has, by a name that somebody gives it.
[[nodiscard]] std::optional<Field> tie_field(std::string_view name);

}  // namespace chirp::cli::input
