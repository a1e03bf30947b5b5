// Mentions, hashtags and links in a text: the one grammar of them.
//
// A mention is `@` and a username. A hashtag is `#` and a tag: letters of any script with their
// marks, decimal digits and underscores, one letter at least. Full-width `＠` and `＃` are the same
// signs. A link is an address of the web.
//
// - Before a sign there is no other sign of the kind: `@ # & $ % + =`. A mark counts with what it
//   stands on.
// - A mention is bound by Latin letters, numbers, underscores and marks beside it: there is none in
//   `x@mira`, `@mirá` or `@mira@host`. Letters of other scripts beside it do not bind it, since
//   many of them are written without spaces between words. A hashtag is bound by any word before
//   it.
// - Within a tag, between two letters, there may be a joiner where Unicode's annex 31 allows it
//   (U+200C between letters of a cursive script; U+200C and U+200D behind a virama). Between
//   letters or digits there may be a sign of is_medial(). A tag ends with neither.
// - An address begins at `http://`, `https://` or `www.`, or at a host name that a slash follows
//   (`example.org/`), where no Latin word is before it. It ends before white space, a control
//   character, `< > "` or wide punctuation. Punctuation at its end is not part of it; a closing
//   bracket is if the address has an opening one for it. No mention or hashtag is in an address.
// - A link is an address whose host begins with a letter, a digit or `[`, without a name or a
//   password before the host.
//
// docs/decisions/0119-one-grammar.md lists how this differs from other grammars. Pure functions
// over valid UTF-8 in NFC; safe from any thread.
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
  std::size_t begin = 0;  // of the sign or the address, in UTF-16 code units
  std::size_t end = 0;    // one past the last character, in UTF-16 code units
  // The username as written, without the sign; the case-folded tag, of limits::kTagMax code points
  // at most; or the address, with `https://` before it where the text has no scheme.
  std::string value;

  bool operator==(const Entity&) const = default;
};

// In the order of the text. They do not overlap.
[[nodiscard]] std::vector<Entity> entities_in(std::string_view text);

// The different tags of a text, in the order in which they first come.
[[nodiscard]] std::vector<std::string> tags_in(std::string_view text);

}  // namespace chirp
