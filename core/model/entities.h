// Mentions, hashtags and links in a text: the one grammar for them.
//
// A mention is `@` and a username. A hashtag is `#` and a tag: letters of any script with their
// marks, decimal digits and underscores, with at least one letter. Full-width `＠` and `＃` are the
// same signs. A link is a web address.
//
// - The character before a sign must not be one of `@ # & $ % + =`. Marks count with their base
//   character.
// - Latin letters, numbers, underscores and marks beside a mention prevent it: `x@mira`, `@mirá`
//   and `@mira@host` have none. Letters of other scripts do not, because many of these scripts have
//   no spaces between words. Any word before a hashtag prevents it.
// - Between two letters a tag may contain a joiner where UAX 31 allows it (U+200C between letters
//   of a cursive script; U+200C and U+200D after a virama). Between letters or digits it may
//   contain a sign of is_medial(). A tag ends with neither.
// - An address begins at `http://`, `https://` or `www.`, or at a host name followed by a slash
//   (`example.org/`), if no Latin word precedes it. It ends before white space, a control
//   character, `< > "` or wide punctuation. It does not include trailing punctuation, except a
//   closing bracket whose opening bracket it contains. An address contains no mentions or hashtags.
// - A link is an address whose host begins with a letter, a digit or `[`, and that has no user name
//   or password before the host.
//
// docs/decisions/0119-one-grammar.md lists the differences from other grammars. Pure functions over
// valid UTF-8 in NFC; safe from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace chirp {

enum class EntityType : std::uint8_t { kMention, kHashtag, kLink };

[[nodiscard]] std::string_view name(EntityType type);

struct Entity {
  EntityType type = EntityType::kMention;
  std::size_t begin = 0;  // the sign or the address, in UTF-16 code units
  std::size_t end = 0;    // one past the last character, in UTF-16 code units
  // The username as written, without the sign; or the case-folded tag, at most limits::kTagMax code
  // points; or the address, with `https://` added if the text has no scheme.
  std::string value;

  bool operator==(const Entity&) const = default;
};

// Returns the entities in the order of the text. They do not overlap.
[[nodiscard]] std::vector<Entity> entities_in(std::string_view text);

// Returns the different tags of a text, in the order of first use.
[[nodiscard]] std::vector<std::string> tags_in(std::string_view text);

}  // namespace chirp
