// Mentions and hashtags in a text.
//
// A mention is `@` and a username, a hashtag `#` and a tag: letters of any script with their marks,
// decimal digits and underscores, one letter at least. Neither is found inside a word, an e-mail
// address or a URL, that is:
//
// - before the sign stands no part of a word (letter, mark, number, underscore) and no other sign
//   of the kind: `@ # & $ % + =`;
// - it ends where the word ends: `@` with more than 15 characters, a letter beyond ASCII or another
//   `@` behind it (`@name@host`) is no mention;
// - it is not in a URL. A URL begins at `http://`, `https://` or `www.` where no word is before it,
//   or at a host name followed by a slash (`example.org/`), and ends at the next white space or one
//   of `< > "`.
//
// Pure functions over valid UTF-8 in NFC; safe from any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace chirp {

struct Mention {
  std::string name;       // as written, without the sign
  std::size_t begin = 0;  // of the sign, in code points
  std::size_t end = 0;    // one past the last character, in code points

  bool operator==(const Mention&) const = default;
};

struct Hashtag {
  std::string tag;        // case-folded, without the sign; at most limits::kTagMax code points
  std::size_t begin = 0;  // as above
  std::size_t end = 0;

  bool operator==(const Hashtag&) const = default;
};

struct Entities {
  std::vector<Mention> mentions;  // each in the order of the text, repeated ones too
  std::vector<Hashtag> hashtags;

  bool operator==(const Entities&) const = default;
};

[[nodiscard]] Entities entities_in(std::string_view text);

// The different tags of a text, in the order in which they first come.
[[nodiscard]] std::vector<std::string> tags_in(std::string_view text);

}  // namespace chirp
