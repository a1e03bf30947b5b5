// Rules for names that strangers choose. They are stricter than the rules for all names, because
// readers trust names.
//
// Loads and the operator's commands may use names that look official, and existing names stay.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/model/user.h"

namespace chirp {

// Whether the name seems to belong to the server's operator: `admin`, `Chirp_Support`, `r00t`,
// `mod_2024`.
[[nodiscard]] bool looks_official(std::string_view username);
// Like check_username, and refuses names that look official: Error{kInvalidArgument} with field
// `username`.
void check_chosen_username(std::string_view username);

// Refuses a display name that would look official as a username. It ignores accents and characters
// that are not letters, and compares look-alike letters of other scripts. Throws
// Error{kInvalidArgument} with field `displayName`.
void check_strangers_display_name(std::string_view display_name);

// Returns the text without characters that change the direction of the text around them. It is used
// for names and bios of other users: such a character is invisible, and reorders the text after it.
[[nodiscard]] std::string without_turns(std::string_view text);

// Like checked_bio, and refuses characters that change the direction of text:
// Error{kInvalidArgument} with field `bio`.
[[nodiscard]] std::string checked_chosen_bio(std::string_view bio);

// Like checked_display_name, and refuses characters that change the direction of text, and
// invisible ones unless an emoji or a script needs them: Error{kInvalidArgument} with field
// `displayName`.
[[nodiscard]] std::string checked_chosen_display_name(std::string_view name);

// Returns the display name for a word, such as the id or handle of a loaded user: the word, or for
// an account the part before `@domain`. Empty for addresses, and if the result can't be a display
// name.
[[nodiscard]] std::optional<std::string> display_name_of(std::string_view word);

// ---- errors for valid names that can't be used now: the field, and what to do
// Error{kAlreadyExists}: another user has the name.
[[nodiscard]] Error username_taken(std::string_view username);
[[nodiscard]] Error email_taken(std::string_view email);
// Error{kInvalidArgument}: too many names contain this text, or no index finds it.
[[nodiscard]] Error match_too_common(std::string_view match);

// Throws Error{kConflict} with field `username` if the user was renamed less than limits::kRenameMs
// ago, and `username` is not the same name in another case.
void check_rename(const User& user, std::string_view username, Time now);

}  // namespace chirp
