// The rules for user input: names, addresses, passwords, texts.
//
// Every check throws Error{kInvalidArgument} with the field and what to do; none changes its
// argument.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/model/source_key.h"

namespace chirp {

[[nodiscard]] bool is_username(std::string_view name);  // [A-Za-z0-9_]{1,15}
void check_username(std::string_view name);
// One `@` with text on both sides, at most 254 bytes of printable ASCII without blanks.
void check_email(std::string_view email);
// Accepts 8 to 72 bytes of UTF-8 without NUL, both as typed and normalised, and no common password.
// Returns password_form().
[[nodiscard]] std::string checked_password(std::string_view password);
// Returns the form of a password to hash: normalised, so that every keyboard gives the same.
// Invalid input is returned unchanged.
[[nodiscard]] std::string password_form(std::string_view typed);
// Accepts 1 to 50 code points after NFC, no control characters, not blank. Returns it normalised.
[[nodiscard]] std::string checked_display_name(std::string_view name);
// Accepts at most 160 code points after NFC; no control characters except newline and tab.
[[nodiscard]] std::string checked_bio(std::string_view bio);
// Accepts 1 to 280 characters after NFC, where an emoji counts as one (core/model/emoji.h), and at
// most 1,000 code points. The text must be valid UTF-8, not only white space, and without control
// characters except newline and tab. Returns it normalised.
[[nodiscard]] std::string checked_post_text(std::string_view text);

// A medium's description: empty, or 1 to 1,500 code points after NFC, by the rules of a post's
// text.
[[nodiscard]] std::string checked_alt_text(std::string_view text);

// A loaded text: the rules of a post, but up to 1,000 code points, and control characters are
// removed instead of refused.
struct LoadedText {
  std::string text;
  std::size_t removed = 0;  // number of control characters removed
};
[[nodiscard]] LoadedText checked_loaded_text(std::string_view text);

// ASCII lower case: the form in which usernames and addresses are compared.
[[nodiscard]] std::string folded(std::string_view name);
// Whether two usernames are the same, ignoring case.
[[nodiscard]] inline bool is_same_username(std::string_view a, std::string_view b) {
  return folded(a) == folded(b);
}
// Applies full Unicode case folding and NFC without accents (characters::without_accents), for
// searching names. A name contains a word if the folded name contains the folded word's bytes.
[[nodiscard]] std::string search_folded(std::string_view text);

// Returns the username that a load makes up for a source id. For a number: `u<id>`, or `u` and the
// id in base 36 if that is longer than 15 characters. For a word: the word, or its part before an
// `@` or between two, if that can be a username; otherwise `u` and a digest of it in base 36.
[[nodiscard]] std::string generated_username(const SourceKey& source);
// Returns the word without a leading `@` and without `@domain`.
[[nodiscard]] std::string_view local_part(std::string_view word);
// Returns `name` with `_<n>` appended, `name` cut so that the result fits 15 characters. n >= 2.
[[nodiscard]] std::string numbered_username(std::string_view name, std::uint32_t n);

// For messages: escapes control characters and invalid bytes, and cuts the text to `max` bytes.
[[nodiscard]] std::string printable(std::string_view text, std::size_t max = 60);
// Returns the columns that a text takes on a terminal: one or two for each visible character,
// however many code points it has. Control characters take no column.
[[nodiscard]] std::size_t display_width(std::string_view text);
// Returns the longest beginning that fits into these columns, without splitting a character.
[[nodiscard]] std::string_view within_columns(std::string_view text, std::size_t columns);

}  // namespace chirp
