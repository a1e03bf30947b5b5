// What a stranger may call themselves: stricter than what a name may be, since others believe
// names.
//
// Loads and the operator's commands are not held to the rules of what looks official, and what is
// there stays.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace chirp {

// Whether it reads like the name of who runs the server: `admin`, `Chirp_Support`, `r00t`,
// `mod_2024`.
[[nodiscard]] bool looks_official(std::string_view username);
// check_username, and not one that looks official: Error{kInvalidArgument} with field `username`.
void check_chosen_username(std::string_view username);

// For a display name that looks_official would be said of, were it a username: accents, letters of
// other scripts that look the same and whatever is no letter are seen through.
// Error{kInvalidArgument} with field `displayName`.
void check_strangers_display_name(std::string_view display_name);

// The text without characters that turn the text around them. For names and bios that others chose:
// such a character is never seen, and shows the text behind it in another order.
[[nodiscard]] std::string without_turns(std::string_view text);

// checked_bio, and nothing in it that turns the text around: Error{kInvalidArgument} with field
// `bio`.
[[nodiscard]] std::string checked_chosen_bio(std::string_view bio);

// checked_display_name, and nothing in it that turns the text around or leaves no mark, where it is
// not what holds an emoji or a script together: Error{kInvalidArgument} with field `displayName`.
[[nodiscard]] std::string checked_chosen_display_name(std::string_view name);

// The display name that a word gives, such as the id or the handle of a user whom a load makes: the
// word, or of an account what stands before its `@domain`. Empty for addresses, and if that can't
// be a display name.
[[nodiscard]] std::optional<std::string> display_name_of(std::string_view word);

}  // namespace chirp
